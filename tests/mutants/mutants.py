"""The guards of money and recovery, each with a way to remove it and the test that must notice.

``original`` stands exactly once in ``file``; with ``replacement`` in its place, ``test`` must fail. ``test_mutants.py`` tries
them one by one in a copy of the tree. Where two guards stand behind each other, the named test looks at one of them alone.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    promise: str
    file: str
    original: str
    replacement: str
    test: str  # a node id: tests/flows/test_x.py::test_y; that test names the promise


# The promises whose guards must each be removed by a mutant, as soon as they are kept at all.
GUARDED: tuple[str, ...] = (
    *("P101", "P105", "P106", "P120", "P124", "P127", "P129", "P130", "P131", "P132"),
    *("P133", "P134", "P135", "P136", "P137", "P138", "P146", "P147", "P230", "P240"),
    *("P269", "P270"),
    *("P022", "P027"),
    *("P028", "P204", "P265", "P266"),
)

MACHINE, LISTENING, ADDRESSING, SETTLING = (
    f"swiggy_instamart/{name}.py" for name in ("machine", "listening", "addressing", "settling")
)
MOVES, PAYING, TURN = (f"swiggy_instamart/{name}.py" for name in ("moves", "paying", "turn"))
REVIEWS, CARTS, HEARING = (f"swiggy_instamart/{name}.py" for name in ("reviews", "carts", "hearing"))
CALLS, ACCOUNTS, PAYMENTS = (f"swiggy_instamart/{name}.py" for name in ("effects", "accounts", "payments"))
REFUSALS, FAILURES, RECEIPTS = (f"swiggy_instamart/{name}.py" for name in ("refusals", "failures", "receipts"))
FAILING, WRITES = "swiggy_instamart/failing.py", "swiggy_instamart/writes.py"
SHOP, SHOPTALK, MODE, OUTSIDE = (f"swiggy_instamart/{name}.py" for name in ("shop", "shoptalk", "mode", "outside"))
STEPS, EFFECTS, LEASES = (f"interactions/{name}.py" for name in ("steps", "effects", "leases"))
VERSIONS = "interactions/versions.py"
CHAIN, CHAIN_ENDS, OFFERING, HEALTH = (f"interactions/{name}.py" for name in ("chain", "chain_ends", "offering", "health"))
CHAINED = "tests/unit/test_chain.py"
PROMPTS, ASKED = "swiggy_instamart/prompts.py", "tests/unit/test_what_was_asked.py"
UNDERSTANDING, UNDERSTOOD = "swiggy_instamart/understanding.py", "tests/unit/test_understanding.py"
RECOVERED, SETTLED = (f"tests/flows/order/test_the_{name}.py" for name in ("recovery", "settlement"))
REHEARSING, PRACTISED = "swiggy_instamart/rehearsing.py", "tests/flows/order/test_rehearsal.py"
LIGHT = "tests/flows/order/test_what_comes_to_light.py"
CONSENT, TEXT, HANDOVER = (f"interactions/{name}.py" for name in ("consent", "text", "handover"))
TWINS, SAMENESS, REVISIONS, OWNERSHIP = (f"interactions/{name}.py" for name in ("twins", "sameness", "revisions", "ownership"))
ONE_EAR, TWO_EARS = "tests/flows/test_twins.py", "tests/flows/test_two_ears.py"
SECOND = "tests/flows/attack/test_second_thoughts.py"
ARBITRATION, ONE_WAKE = "interactions/arbitration.py", "tests/flows/test_arbitration.py"
TRIGGERS, SCHEMA = "interactions/migrations/_triggers.py", "interactions/migrations/0001_initial.py"

MUTANTS: tuple[Mutant, ...] = (
    # ---- the address and the cart that was there
    Mutant(
        "P101",
        MACHINE,
        "(P.STARTING,  E.NAMED):        Move(P.ADDRESS,   T.ASK_ADDRESS)",
        "(P.STARTING,  E.NAMED):        Move(P.ADDRESS,   T.READ_CART)",
        "tests/unit/test_machine.py::test_no_row_reads_or_writes_the_cart_before_the_yes_to_the_address",
    ),
    Mutant(
        "P101",  # whatever is no label is no yes
        ADDRESSING,
        "return Happened(On.CHANGE) if reading.said is Said.CHANGE_ADDRESS else None",
        "return Happened(On.CHANGE) if reading.said is Said.CHANGE_ADDRESS else Happened(On.YES)",
        "tests/unit/test_mode_address.py::test_an_unclear_answer_repeats_the_question_and_calls_nothing",
    ),
    Mutant(
        "P101",  # to ask for the cart is no yes
        ADDRESSING,
        "    later = reading.said in LATER",
        "    if later := reading.said in LATER:\n        return Happened(On.YES)",
        "tests/unit/test_mode_address.py::test_what_comes_after_the_address_is_told_to_wait_for_it_and_the_question_stays",
    ),
    Mutant(
        "P105",  # whatever is neither keep nor clear
        ADDRESSING,
        "return None if on is None else Happened(on)",
        "return Happened(on or On.KEEP)",
        "tests/unit/test_mode_cart.py::test_a_full_cart_is_kept_or_cleared_and_nothing_else_changes_it",
    ),
    Mutant(
        "P105",
        SETTLING,
        'On.CART_FULL if result["cart"]["lines"] else On.CART_EMPTY',
        "On.CART_EMPTY",
        "tests/unit/test_mode_cart.py::test_a_full_cart_is_kept_or_cleared_and_nothing_else_changes_it",
    ),
    Mutant(
        "P106",
        MACHINE,
        "(P.OLD_CART,  E.KEEP):         Move(P.SHOPPING,  T.ASK_ITEMS)",
        "(P.OLD_CART,  E.KEEP):         Move(P.SHOPPING,  T.CLEAR_CART)",
        "tests/unit/test_mode_cart.py::test_keep_cart_leaves_it",
    ),
    Mutant(
        "P106",  # a clear that cleared nothing
        SETTLING,
        'if result["cart"]["lines"]:\n        return Happened(On.HURT, {"code": "not_cleared"',
        'if False:\n        return Happened(On.HURT, {"code": "not_cleared"',
        "tests/unit/test_mode_cart.py::test_clear_cart_clears_once_and_believes_only_the_cart_that_was_read_back",
    ),
    Mutant(
        "P106",  # a clear that failed
        MACHINE,
        "**{(p, E.HURT):         Move(p,           T.SAY_TROUBLE)",
        "**{(p, E.HURT):         Move(P.SHOPPING,  T.SAY_TROUBLE)",
        "tests/unit/test_mode_cart.py::test_a_failed_clear_stays_in_the_decision",
    ),
    Mutant(
        "P106",  # the shop's word for it is not enough
        WRITES,
        'shop.clear_cart()\n    return {"cart": cart_of(shop.cart())}',
        'shop.clear_cart()\n    return {"cart": {"lines": []}}',
        "tests/flows/test_swiggy_effects.py::test_a_clear_that_only_says_so_is_seen_by_reading",
    ),
    # ---- one account, one hand
    Mutant(
        "P120",
        ACCOUNTS,
        "raise NotYetError(",
        "NotYetError(",
        "tests/flows/test_guards.py::test_while_an_old_request_may_arrive_no_call_is_made",
    ),
    Mutant(
        "P120",  # before the checkout itself
        CALLS,
        "        accounts.check_quiet(call, now=now)\n    except",
        "        pass\n    except",
        "tests/flows/test_guards.py::test_while_an_old_request_may_arrive_no_call_is_made",
    ),
    Mutant(
        "P120",  # before a write
        WRITES,
        "    quiet(call)  # last, so that nothing comes between it and the call\n",
        "",
        "tests/flows/test_guards.py::test_while_an_old_request_may_arrive_no_call_is_made",
    ),
    Mutant(
        "P120",  # who sent it and died leaves the account quiet
        MODE,
        'if effect in ("write", "clear", "checkout"):',
        "if False:",
        "tests/flows/test_guards.py::test_a_sender_that_died_leaves_the_account_quiet_while_its_call_may_arrive",
    ),
    Mutant(
        "P120",  # a checkout without an answer may still arrive
        EFFECTS,
        "call.deadline if unknown else None",
        "None",
        "tests/flows/test_guards.py::test_a_once_without_an_answer_is_known_to_be_still_under_way",
    ),
    Mutant(
        "P120",  # so may a write
        EFFECTS,
        "orphan_until=call.deadline if lost else None",
        "orphan_until=None",
        "tests/flows/test_guards.py::test_a_write_without_an_answer_is_known_to_be_still_under_way",
    ),
    Mutant(
        "P120",  # a session whose order is over
        ACCOUNTS,
        "if order is None or order.session_ended_at is not None:",
        "if order is None:",
        "tests/flows/test_guards.py::test_once_its_order_is_over_a_session_makes_no_call",
    ),
    Mutant(
        "P229",  # one open order per account, held by the database
        "swiggy_instamart/migrations/0001_initial.py",
        "condition=models.Q(('closed_at', None)), fields=('account',)",
        "condition=models.Q(('closed_at', None)), fields=('session_id',)",
        "tests/flows/test_constraints.py::test_a_second_open_order_of_one_account_is_refused",
    ),
    # ---- who may spend
    Mutant(
        "P124",  # a second effect that would pass for one that spends
        MODE,
        '"notify": EffectSpec(Policy.REPLAY, budget_s=10, attempts=2)',
        '"notify": EffectSpec(Policy.ONCE, 9, phase=listening.CONFIRM_PHASE.value, phrases=listening.CONFIRM_PHRASES)',
        "tests/unit/test_mode_review.py::test_only_one_effect_spends_and_it_names_its_phase_and_its_words",
    ),
    Mutant(
        "P124",  # a second hand on the tool
        CALLS,
        "    return lookups.evidence(",
        "    mcp.swiggy().checkout(intent.address_id)\n    return lookups.evidence(",
        "tests/unit/test_guards.py::test_one_line_of_the_product_checks_out_and_one_confirms",
    ),
    Mutant(
        "P124",  # a row that spends on a Signal
        MACHINE,
        "(P.REVIEW,    E.MOVED):        Move(P.SHOPPING,  T.SAY_HERE)",
        "(P.REVIEW,    E.MOVED):        Move(P.REVIEW,    T.READ_BACK)",
        "tests/unit/test_guards.py::test_nothing_but_words_that_were_heard_asks_for_a_review_or_a_checkout",
    ),
    Mutant(
        "P127",
        SHOPTALK,
        "return Happened(On.REVIEW_ASKED)",
        'return Happened(On.CONFIRMED, {"utterance": 1, "said_at": turn.at.isoformat()})',
        "tests/unit/test_guards.py::test_thats_all_to_a_review_reads_it_back_again",
    ),
    Mutant(
        "P131",
        LISTENING,
        'return turn.stay(speech.no_review(turn.say), said="no review")',
        "return _confirm(turn, event)",
        "tests/unit/test_guards.py::test_the_phrase_without_a_review_is_told_that_there_is_nothing_to_confirm",
    ),
    Mutant(
        "P131",  # while the next review is being read there is none
        MOVES,
        '{"review": None, "count_for": None, "unchosen"',
        '{"count_for": None, "unchosen"',
        "tests/unit/test_guards.py::test_while_a_review_is_being_read_there_is_nothing_to_confirm",
    ),
    Mutant(
        "P220",  # the kernel's own look at the phase
        STEPS,
        "if phase != spec.phase:",
        "if not phase:",
        "tests/flows/test_kernel_effects.py::test_the_phrase_spoken_in_another_phase_spends_nothing",
    ),
    # ---- the words
    Mutant(
        "P132",  # the kernel's own look at the words
        STEPS,
        "if not _is_phrase(item.utterance, spec):",
        "if not item.utterance.text:",
        "tests/flows/test_kernel_effects.py::test_other_words_than_the_phrase_spend_nothing_even_if_the_mode_asks",
    ),
    Mutant(
        "P132",  # the mode's verdict, words
        CONSENT,
        "= (\n    _phrase,\n",
        "= (\n",
        "tests/unit/test_consent.py::test_other_words_spend_nothing_however_well_timed",
    ),
    Mutant(
        "P132",  # the mode's verdict, doubt
        CONSENT,
        "given is None or given >= LEAST_CONFIDENCE",
        "True",
        "tests/unit/test_consent.py::test_a_recogniser_that_doubts_itself_spends_nothing",
    ),
    Mutant(
        "P201",  # what may be our own voice
        CONSENT,
        "return Verdict.TOO_EARLY if case.heard.doubtful else None",
        "return None",
        "tests/unit/test_consent.py::test_what_may_be_our_own_voice_spends_nothing",
    ),
    Mutant(
        "P201",  # a later reply that speaks of the phrase is still being said
        CONSENT,
        "if playback is not None and playback.reply_id > prompt.reply_id and _still_said(playback):",
        "if False:",
        "tests/unit/test_consent.py::test_a_later_reply_that_is_still_being_said_lets_nothing_be_spent",
    ),
    Mutant(
        "P260",  # where it stays open whether we said it, that is told on
        "interactions/echo.py",
        "return Kind.DOUBTFUL if doubtful else Kind.SPEECH",
        "return Kind.SPEECH",
        "tests/unit/test_echo.py::test_the_phrase_is_beyond_doubt_six_tenths_after_whatever_spoke_of_it",
    ),
    Mutant(
        "P253",  # an answer from before its question
        PROMPTS,
        "if only_answers and not event.was_asked:",
        "if False:",
        "tests/unit/test_answers_in_time.py::test_a_number_from_before_the_options_were_read_chooses_none",
    ),
    Mutant(
        "P253",  # an answer to a remark, taken for that to an older question
        PROMPTS,
        'return "" if asked_last and',
        'return "" if',
        f"{ASKED}::test_what_is_said_to_a_remark_is_no_answer_to_the_question_before_it_which_is_asked_again",
    ),
    Mutant(
        "P253",  # what was said since the question
        PROMPTS,
        "and reply.speak and reply.kind",
        "and False and reply.kind",
        f"{ASKED}::test_what_is_said_to_a_remark_is_no_answer_to_the_question_before_it_which_is_asked_again",
    ),
    Mutant(
        "P261",  # a remark at the review, taken for what a consent must have heard
        PROMPTS,
        "if key is None and not at_review and",
        "if key is None and",
        f"{ASKED}::test_a_remark_at_the_review_leaves_the_read_back_the_prompt_or_ends_the_review",
    ),
    Mutant(
        "P261",  # a button that spends beside a remark: a tap proves no listening
        PROMPTS,
        "return replace(reply, choices=choices, key=key)",
        "return replace(reply, key=key)",
        "tests/unit/test_one_open_question.py::test_no_sentence_but_the_standing_read_back_can_offer_the_words_that_spend",
    ),
    Mutant(
        "P132",  # a sign that stands for a word
        TEXT,
        " and char not in STANDING_FOR_WORDS",
        "",
        "tests/unit/test_text.py::test_anything_else_is_not_the_phrase",
    ),
    Mutant(
        "P132",  # the mode obeys the verdict
        LISTENING,
        "if verdict is not Verdict.OK:",
        "if verdict is Verdict.OLD:",
        "tests/unit/test_mode_review.py::test_a_recogniser_in_doubt_spends_nothing",
    ),
    Mutant(
        "P132",  # two finals that something joined
        TEXT,
        "        else:\n            return ()\n    return tuple(",
        '        else:\n            out.append(" ")\n    return tuple(',
        "tests/unit/test_text.py::test_anything_else_is_not_the_phrase",
    ),
    Mutant(
        "P133",  # the end of an utterance is not the utterance
        TEXT,
        "    if words in allowed:\n",
        "    if any(words[-len(one) :] == one for one in allowed):\n",
        "tests/unit/test_text.py::test_anything_else_is_not_the_phrase",
    ),
    Mutant(
        "P133",  # and is not heard as it
        HEARING,
        "if text.is_phrase(spoken, words.CONFIRM_PHRASES, names):",
        "if spoken.endswith(words.CONFIRM_PHRASES):",
        "tests/unit/test_hearing.py::test_complete_and_confirm_in_one_breath_are_neither",
    ),
    Mutant(
        "P202",  # an answer to another question, or to an earlier review
        REVIEWS,
        "prompt = heard.prompt if heard.prompt and heard.prompt.key == review.key else None",
        "prompt = heard.prompt",
        "tests/unit/test_reviews.py::test_a_consent_is_to_one_revision_at_one_device",
    ),
    Mutant(
        "P202",  # one consent, one call: held by the database
        SCHEMA,
        "fields=('consent',), name='checkpoint_consent_once'",
        "fields=('consent', 'revision'), name='checkpoint_consent_once'",
        "tests/flows/test_kernel_effects.py::test_one_utterance_can_consent_only_once",
    ),
    Mutant(
        "P261",
        EFFECTS,
        "late = clock.now() > began + timedelta(seconds=START_S)",
        "late = clock.now() < began",
        "tests/flows/test_kernel_effects.py::test_a_holder_that_slept_between_commit_and_call_spends_nothing",
    ),
    Mutant(
        "P262",
        STEPS,
        "        raise HeldBackError(effect)",
        "        pass",
        "tests/flows/test_kernel_effects.py::test_what_is_said_after_the_phrase_is_heard_before_the_call",
    ),
    Mutant(
        "P262",  # nor may the mode ask for it again
        STEPS,
        "    if work.held_back:",
        "    if False:",
        "tests/flows/test_guards.py::test_what_was_overtaken_cannot_be_asked_for_again_on_the_same_words",
    ),
    Mutant(
        "P132",  # as an utterance of this session
        STEPS,
        "filter(session=work.session, utterance_id=effect.consent,",
        "filter(utterance_id=effect.consent,",
        "tests/flows/test_guards.py::test_the_phrase_said_in_another_session_spends_nothing",
    ),
    Mutant(
        "P202",  # the last reading belongs to one review
        SETTLING,
        'review.revision != payload["revision"]',
        "False",
        "tests/unit/test_guards.py::test_the_last_reading_for_an_earlier_review_places_nothing",
    ),
    # ---- what is bought
    Mutant(
        "P129",
        REVIEWS,
        'if total_paise is None or total_paise <= 0:\n        return "total_unreadable"\n',
        "total_paise = total_paise or 1\n",
        "tests/unit/test_reviews.py::test_only_a_whole_affordable_payable_cart_of_the_confirmed_address_may_be_reviewed",
    ),
    Mutant(
        "P129",  # at the limit is over it
        REVIEWS,
        "total_paise >= limit_paise",
        "total_paise > limit_paise",
        "tests/unit/test_mode_review.py::test_a_total_that_cannot_be_read_or_reaches_the_limit_is_refused",
    ),
    Mutant(
        "P130",
        REVIEWS,
        "if not scan:",
        "if False:",
        "tests/unit/test_mode_review.py::test_without_a_upi_scan_it_is_refused_and_cash_is_never_offered",
    ),
    Mutant(
        "P130",  # listed is not offered for this cart
        RECEIPTS,
        'scan = any(method.kind == "qr" and method.enabled for method in offered)',
        'scan = any(method.kind == "qr" for method in listed.values())',
        "tests/unit/test_guards.py::test_a_scan_that_this_cart_does_not_offer_is_none",
    ),
    Mutant(
        "P130",  # what the one call asks for
        SHOP,
        '"paymentMethod": "UPI"',
        '"paymentMethod": "Cash"',
        "tests/unit/test_guards.py::test_the_one_call_asks_for_a_upi_scan_and_nothing_else",
    ),
    Mutant(
        "P134",  # no way around the last reading
        MACHINE,
        "(P.REVIEW,    E.CONFIRMED):    Move(P.REVIEW,    T.RECHECK)",
        "(P.REVIEW,    E.CONFIRMED):    Move(P.CHECKOUT,  T.CHECK_OUT)",
        "tests/unit/test_guards.py::test_the_phrase_asks_for_the_last_reading_and_not_yet_for_the_call",
    ),
    Mutant(
        "P129",  # a limit that was lowered since
        SETTLING,
        "if reviews.over_limit(review.total_paise, turn.options.limit_paise):",
        "if False:",
        "tests/unit/test_last_look.py::test_a_limit_that_the_operator_lowered_after_the_read_back_holds",
    ),
    Mutant(
        "P248",  # a cut that was reported since
        SETTLING,
        'if reviews.was_cut(review, turn.facts["prompt"]):',
        "if False:",
        "tests/unit/test_last_look.py::test_a_review_whose_cut_is_reported_behind_the_phrase_is_read_again",
    ),
    Mutant(
        "P206",  # no end says that nothing was placed beside an order that was
        "swiggy_instamart/outside.py",
        '"doubt": stands or bool(turn.state.get("doubt"))',
        '"doubt": bool(turn.state.get("doubt"))',
        "tests/unit/test_claims.py::test_an_order_in_which_another_came_to_light_does_not_end_with_nothing_was_placed",
    ),
    Mutant(
        "P134",
        SETTLING,
        "or now != review.fingerprint or",
        "or",
        "tests/unit/test_mode_review.py::test_a_changed_cart_is_told_and_nothing_is_placed",
    ),
    Mutant(
        "P134",  # what can no longer be delivered
        SETTLING,
        ' or cart.get("unserviceable"):',
        ":",
        "tests/unit/test_guards.py::test_a_line_that_the_shop_moved_out_of_the_cart_as_not_deliverable_is_a_change",
    ),
    Mutant(
        "P135",  # a changed cart leaves nothing to confirm
        MACHINE,
        "(P.REVIEW,    E.DRIFTED):      Move(P.SHOPPING,  T.SAY_VOID)",
        "(P.REVIEW,    E.DRIFTED):      Move(P.REVIEW,    T.SAY_VOID)",
        "tests/unit/test_mode_review.py::test_a_changed_cart_is_told_and_nothing_is_placed",
    ),
    Mutant(
        "P136",
        LISTENING,
        "reviews.expired(review, prompt=event.prompt, at=event.at, validity_s=turn.options.review_validity_s)",
        "False",
        "tests/unit/test_mode_review.py::test_an_old_review_needs_another_complete_order",
    ),
    Mutant(
        "P136",  # repeated for ever
        REVIEWS,
        "return at > min(ended + validity, made + spoken + 3 * validity)",
        "return at > ended + validity",
        "tests/unit/test_mode_review.py::test_repeating_a_review_does_not_keep_it_good_for_ever",
    ),
    # ---- the one call, and what it leaves
    Mutant(
        "P137",  # begun when it is committed
        STEPS,
        "state=State.STARTED if once else State.STAGED",
        "state=State.STAGED",
        "tests/flows/test_kernel_effects.py::test_a_once_is_committed_begun_with_its_consent_before_the_one_call",
    ),
    Mutant(
        "P137",  # with its intent
        PAYING,
        "effect=effect, rows=(intend,), freeze_s=freeze_s",
        "effect=effect, freeze_s=freeze_s",
        "tests/unit/test_mode_review.py::test_an_unchanged_cart_asks_for_one_checkout_on_the_word_of_that_utterance",
    ),
    Mutant(
        "P154",  # found begun
        EFFECTS,
        "if checkpoint.policy == Policy.ONCE.value:",
        "if checkpoint.policy == Policy.ONCE.value and not interrupted:",
        "tests/flows/test_kernel_effects.py::test_a_once_found_begun_by_another_holder_is_unknown_and_never_called",
    ),
    Mutant(
        "P154",  # the fence
        LEASES,
        "lease_owner=lease.owner, fence=lease.fence, lease_until__gt=Now()",
        "lease_owner=lease.owner, lease_until__gt=Now()",
        "tests/flows/test_kernel_effects.py::test_an_outcome_whose_fence_is_gone_is_kept_as_evidence_and_not_stepped",
    ),
    Mutant(
        "P138",  # whatever is raised proves nothing
        EFFECTS,
        "return Unknown(type(error).__name__)",
        "return Failed(type(error).__name__)",
        "tests/flows/test_kernel_effects.py::test_a_once_is_never_tried_again_and_what_is_not_proven_is_unknown",
    ),
    Mutant(
        "P138",  # no answer is not a no
        EFFECTS,
        "return Unknown(error.code)",
        "return Failed(error.code)",
        "tests/flows/test_kernel_effects.py::test_a_once_is_never_tried_again_and_what_is_not_proven_is_unknown",
    ),
    Mutant(
        "P138",  # to the mode as well
        FAILING,
        "    return Happened(On.NO_ANSWER, facts)",
        "    return Happened(On.NOT_SENT, facts)",
        "tests/unit/test_mode_checkout.py::test_without_a_proof_the_outcome_is_unknown_and_that_is_said_before_looking",
    ),
    Mutant(
        "P138",  # a no that is not on the list
        REFUSALS,
        "if refusal else StrangeAnswerError(",
        "if refusal else TurnedDownError(",
        "tests/unit/test_refusals.py::test_any_other_no_is_unknown",
    ),
    Mutant(
        "P138",  # a no that also says that something was done
        REFUSALS,
        "if any(pattern.search(words) for pattern in never):",
        "if not words:",
        "tests/unit/test_refusals.py::test_any_other_no_is_unknown",
    ),
    Mutant(
        "P138",  # a server that broke after it had acted
        FAILURES,
        'return NoAnswerError("server_error", words)',
        'return TurnedDownError("server_error", words)',
        "tests/unit/test_refusals.py::test_a_status_is_a_refusal_only_where_the_list_has_it",
    ),
    Mutant(
        "P138",  # bytes that may have left
        FAILURES,
        "if not trace.left:",
        "if not trace.status:",
        "tests/unit/test_guards.py::test_a_request_whose_bytes_may_have_left_is_not_called_unsent",
    ),
    Mutant(
        "P138",  # a success without an order id
        RECEIPTS,
        "    if not ids:\n",
        "    if False:\n",
        "tests/unit/test_answers.py::test_a_checkout_without_its_essence_is_no_answer",
    ),
    Mutant(
        "P240",  # a refusal voids its review
        MACHINE,
        "(P.CHECKOUT,  E.ABSENT):       Move(P.SHOPPING,  T.SAY_NOT_PLACED)",
        "(P.CHECKOUT,  E.ABSENT):       Move(P.REVIEW,    T.SAY_NOT_PLACED)",
        "tests/unit/test_guards.py::test_what_was_refused_or_not_sent_leaves_the_review",
    ),
    Mutant(
        "P240",  # so does a call that was not sent
        MACHINE,
        "(P.CHECKOUT,  E.NOT_SENT):     Move(P.SHOPPING,  T.SAY_NOT_PLACED)",
        "(P.CHECKOUT,  E.NOT_SENT):     Move(P.REVIEW,    T.SAY_NOT_PLACED)",
        "tests/unit/test_guards.py::test_what_was_refused_or_not_sent_leaves_the_review",
    ),
    Mutant(
        "P240",  # outside the review phase no review survives
        TURN,
        'state["review"] = None',
        "pass",
        "tests/unit/test_mode_checkout.py::test_a_refusal_on_the_list_is_told_in_the_shops_words_and_the_orders_are_read_once",
    ),
    # ---- the payment
    Mutant(
        "P146",  # of two that look at once
        PAYMENTS,
        "filter(watched, pk=held.pk, confirm_started_at=None,",
        "filter(watched, pk=held.pk,",
        "tests/flows/test_guards.py::test_of_two_that_see_a_payment_at_once_one_confirms_it",
    ),
    Mutant(
        "P146",  # marked before the call
        PAYMENTS,
        "if not mine.update(confirm_started_at=at):",
        "if not mine.exists():",
        "tests/flows/test_guards.py::test_a_confirm_is_marked_and_committed_before_it_is_sent",
    ),
    Mutant(
        "P146",  # confirmed by the shop already
        PAYMENTS,
        "status.state is Payment.PAID and status.confirmed:",
        "False:",
        "tests/flows/test_guards.py::test_a_payment_that_the_shop_has_confirmed_is_not_confirmed_again",
    ),
    Mutant(
        "P147",
        OUTSIDE,
        'frozenset({"payment_failed", "payment_cancelled", "payment_refunded", "cart_changed"})',
        'frozenset({"payment_failed", "payment_cancelled", "cart_changed"})',
        "tests/unit/test_mode_checkout.py::test_each_bad_ending_has_its_own_reason_and_sentence_and_starts_nothing",
    ),
    Mutant(
        "P147",  # none goes back to where it could be bought again
        MACHINE,
        "**{(p, E.NOT_PAID):     Move(P.FINISHED,  T.SAY_UNPAID)",
        "**{(p, E.NOT_PAID):     Move(P.SHOPPING,  T.SAY_UNPAID)",
        "tests/unit/test_mode_checkout.py::test_each_bad_ending_has_its_own_reason_and_sentence_and_starts_nothing",
    ),
    # ---- what is written down
    Mutant(
        "P230",
        STEPS,
        "payload_hash=outcomes.digest(effect.payload),",
        'payload_hash="",',
        "tests/flows/test_kernel_effects.py::test_an_effect_is_committed_with_its_payload_before_it_is_performed",
    ),
    Mutant(
        "P230",  # the attempt is counted before it begins
        EFFECTS,
        "            attempts=checkpoint.attempts + 1,\n",
        "",
        "tests/flows/test_kernel_effects.py::test_an_effect_is_committed_with_its_payload_before_it_is_performed",
    ),
    Mutant(
        "P230",  # settled is settled, whoever writes
        TRIGGERS,
        "OLD.state = 'settled' AND",
        "OLD.state = 'never' AND",
        "tests/flows/test_constraints.py::test_a_settled_checkpoint_never_changes",
    ),
    Mutant(
        "P230",  # begun keeps what was asked
        TRIGGERS,
        "OLD.state <> 'staged' AND",
        "OLD.state = 'never' AND",
        "tests/flows/test_constraints.py::test_a_checkpoint_never_goes_back_and_a_begun_one_keeps_what_was_asked",
    ),
    # ---- a deploy in the middle
    Mutant(
        "P270",
        VERSIONS,
        "    if spending(session, mode, at=at):",
        "    if False:",
        "tests/flows/test_upgrades.py::test_no_upgrade_ever_ends_a_session_in_which_something_may_have_been_bought",
    ),
    Mutant(
        "P270",  # the rows know of money what a renamed phase does not
        VERSIONS,
        "    return once.filter(Q(open_since__isnull=False) | Q(stepped_at=None)).exists()",
        "    return False",
        "tests/flows/test_upgrades.py::test_a_phase_that_says_nothing_of_money_is_not_believed_against_the_rows",
    ),
    Mutant(
        "P270",
        VERSIONS,
        "    if session.version > mode.version:",
        "    if False:",
        "tests/flows/test_upgrades.py::test_a_worker_that_meets_a_newer_session_leaves_it_whole_and_rings_nobody",
    ),
    Mutant(
        "P270",  # a checkout that cannot be read has not failed
        "interactions/stored.py",
        "made = row.policy == Policy.ONCE.value and not isinstance(outcome, Failed)",
        "made = False",
        "tests/flows/test_upgrades.py::test_a_once_whose_answer_the_new_code_cannot_read_is_unknown_and_never_failed",
    ),
    Mutant(
        "P269",
        STEPS,
        "open_since=at if spec.lasting else None,",
        "open_since=None,",
        "tests/flows/test_deploys.py::test_what_a_lasting_once_began_is_open_until_its_mode_says_that_it_is_over",
    ),
    Mutant(
        "P269",
        "interactions/unsettled.py",
        'Q(open_since__isnull=False) | Q(policy=Policy.ONCE.value, stepped_at=None, session__status="active")',
        "Q(open_since__isnull=False)",
        "tests/flows/test_deploys.py::test_a_once_that_begins_nothing_lasting_is_over_when_its_outcome_was_told",
    ),
    Mutant(
        "P269",  # the mark is taken away only by the end of what it stands for
        "swiggy_instamart/intents.py",
        "since=intent.created_at if resolved is None else None",
        "since=None",
        "tests/flows/test_deploys.py::test_an_order_that_waits_for_its_payment_forbids_switching_the_plugin_off",
    ),
    # ---- another device
    Mutant(
        "P202",  # the commit that spends looks at the device
        STEPS,
        "if item.utterance.device_id != work.session.device_id:",
        "if False:",
        "tests/flows/test_handover.py::test_the_commit_that_spends_refuses_a_phrase_from_another_device_than_the_sessions",
    ),
    Mutant(
        "P259",  # the review is void
        MACHINE,
        "(P.REVIEW,    E.MOVED):        Move(P.SHOPPING,  T.SAY_HERE)",
        "(P.REVIEW,    E.MOVED):        Move(P.REVIEW,    T.SAY_HERE)",
        "tests/unit/test_mode_review.py::test_moving_the_session_to_another_device_voids_the_review",
    ),
    Mutant(
        "P259",  # a move that waits is later than any words before it
        STEPS,
        'kinds = ("heard", "end", "signal", handover.KIND)',
        'kinds = ("heard", "end", "signal")',
        "tests/flows/order/test_taking_an_order_over.py::test_a_move_that_waits_holds_back_the_phrase_that_was_said_before_it",
    ),
    Mutant(
        "P259",  # moved from where it was asked for, and only from there
        HANDOVER,
        "filter(pk=work.session.pk, device=origin).exists()",
        "filter(pk=work.session.pk).exists()",
        "tests/flows/test_handover.py::test_of_two_devices_that_ask_the_first_has_it_and_the_other_is_told",
    ),
    # ---- a recovery, and the operator
    Mutant(
        "P263",  # what was said before it
        STEPS,
        "if recovered_upto is not None and item.utterance.pk <= recovered_upto:",
        "if False:",
        "tests/flows/test_recovery.py::test_words_that_waited_when_it_recovered_spend_nothing_also_where_the_mode_minds_nothing",
    ),
    Mutant(
        "P263",  # what was read back before it
        OUTSIDE,
        "Phase.SHOPPING if turn.phase is Phase.REVIEW else turn.phase",
        "turn.phase",
        f"{RECOVERED}::test_a_review_is_void_and_the_order_is_found_and_told_before_anything_can_be_ordered",
    ),
    Mutant(
        "P263",  # what was being read
        SETTLING,
        'payload.get("recovered") != turn.state.get("recovered")',
        "False",
        f"{RECOVERED}::test_words_that_waited_and_a_review_that_was_being_read_spend_nothing",
    ),
    Mutant(
        "P263",  # no intent while the orders are searched
        "swiggy_instamart/orders.py",
        "if recovery.is_open(standing.user):",
        "if False:",
        f"{RECOVERED}::test_no_checkout_is_stored_while_the_orders_are_searched",
    ),
    Mutant(
        "P263",  # a confirm that may have been sent counts as sent
        "swiggy_instamart/recovery.py",
        "confirm_started_at=None).update(confirm_started_at=at):",
        "confirm_started_at=None).exists():",
        f"{RECOVERED}::test_a_confirm_that_was_sent_and_forgotten_is_not_sent_again",
    ),
    Mutant(
        "P263",  # what nobody could see may exist all the same
        "swiggy_instamart/recovery.py",
        "rows.append(_of(None, recovery.at))",
        "pass",
        f"{RECOVERED}::test_what_no_list_shows_may_exist_all_the_same_and_opens_the_next_review",
    ),
    Mutant(
        "P268",  # the second look has to be able to see
        "swiggy_instamart/settlement.py",
        "        if not read:",
        "        if False:",
        f"{SETTLED}::test_not_placed_is_refused_where_nothing_can_be_read_or_was_looked_at",
    ),
    Mutant(
        "P268",  # and to see nothing
        "swiggy_instamart/lookups.py",
        "if order is None and intent.wish:",
        "if intent.wish:",
        f"{SETTLED}::test_not_placed_is_refused_where_the_look_sees_the_order",
    ),
    Mutant(
        "P268",  # a later sight reopens it
        "swiggy_instamart/lookups.py",
        "LOOKED_FOR = [State.UNKNOWN, State.UNFOUND, State.NOT_PLACED]",
        "LOOKED_FOR = [State.UNKNOWN, State.UNFOUND]",
        f"{SETTLED}::test_a_sight_after_not_placed_reopens_it_and_tells_both",
    ),
    Mutant(
        "P271",
        "swiggy_instamart/intents.py",
        "if to == State.UNKNOWN:",
        "if False:",
        f"{SETTLED}::test_an_unknown_checkout_alarms_the_operator_at_once_and_is_red_until_it_is_known",
    ),
    Mutant(
        "P233",  # whoever may look may not settle
        "swiggy_instamart/settling_page.py",
        "if not allowed(request):",
        "if False:",
        f"{SETTLED}::test_nobody_without_the_permission_sees_or_does_it",
    ),
    Mutant(
        "P268",  # what came to light waits, and is told before anything is spent
        STEPS,
        'kinds = ("heard", "end", "signal", handover.KIND)',
        'kinds = ("heard", "end", handover.KIND)',
        f"{LIGHT}::test_an_order_that_is_seen_after_all_just_before_the_call_is_told_and_nothing_is_called",
    ),
    Mutant(
        "P205",  # a closed order that an answer has opened again
        "swiggy_instamart/orders.py",
        "if intents.unresolved(standing.user):",
        "if False:",
        f"{LIGHT}::test_an_answer_that_comes_late_for_an_order_that_was_closed_keeps_the_next_one_from_being_sent",
    ),
    Mutant(
        "P268",  # and it counts only where it could read
        "swiggy_instamart/lookups.py",
        "    elif read:",
        "    else:",
        f"{LIGHT}::test_a_look_that_could_read_nothing_is_no_look",
    ),
    Mutant(
        "P138",
        FAILURES,
        "if TIMED_OUT.search(words) else",
        "if False else",
        "tests/unit/test_refusals.py::test_a_timeout_that_shares_its_number_with_a_refused_token_is_no_refusal",
    ),
    # ---- what a language model may do
    Mutant(
        "P125",
        "interactions/language_model.py",
        "if len(calls) != 1:",
        "if not calls:",
        "tests/unit/test_language_model.py::test_an_answer_that_is_not_one_known_tool_is_refused_and_nobody_else_is_asked",
    ),
    Mutant(
        "P212",  # a title that asks for a tool
        UNDERSTANDING,
        'if case.titles & set(result["tool"].split("_")) - case.said:',
        "if False:",
        f"{UNDERSTOOD}::test_what_only_a_title_asks_for_is_not_done",
    ),
    Mutant(
        "P212",  # a query that stands in a title only
        UNDERSTANDING,
        "foreign & case.titles or",
        "False or",
        f"{UNDERSTOOD}::test_a_word_that_stands_only_in_a_title_is_not_looked_for",
    ),
    Mutant(
        "P212",  # another number than the one that was said
        UNDERSTANDING,
        "return not pointed and _counts(case.numbers) == {Fraction(quantity)}",
        "return True",
        f"{UNDERSTOOD}::test_a_number_that_the_words_do_not_give_is_asked_for",
    ),
    Mutant(
        "P212",  # another thing than the one that was named
        UNDERSTANDING,
        "return bool(hits[at]) and not any(",
        "return True or not any(",
        f"{UNDERSTOOD}::test_an_option_that_the_words_do_not_name_is_offered_and_needs_its_yes",
    ),
    Mutant(
        "P127",  # the review ends on the person's words only
        UNDERSTANDING,
        "(case.reviewed and (foreign or not case.plain))",
        "False",
        f"{UNDERSTOOD}::test_at_a_review_nothing_but_the_words_themselves_ends_it",
    ),
    # ---- practice
    Mutant(
        "P217",  # none beside a real order that the same words would confirm
        REHEARSING,
        "return host.place_of(waiting[0]) if waiting else None",
        "return None",
        f"{PRACTISED}::test_no_practice_begins_while_a_real_order_of_the_same_person_waits_to_be_confirmed",
    ),
    Mutant(
        "P217",  # and what is open ends
        MOVES,
        "rows=(rows.ReadBack(),), **changes",
        "**changes",
        f"{PRACTISED}::test_a_practice_ends_when_a_real_order_of_the_same_person_is_read_back",
    ),
    Mutant(
        "P217",  # a real order asked for in practice opens nothing, and says so
        LISTENING,
        "(opening := openings.heard(turn, event))",
        "(opening := None)",
        f"{PRACTISED}::test_a_practice_never_becomes_a_real_order",
    ),
    Mutant(
        "P217",  # the shop of practice
        REHEARSING,
        "    return practice.shop()\n",
        "    from swiggy_instamart import mcp\n\n    return mcp.swiggy()\n",
        "tests/unit/test_practice.py::test_every_call_of_practice_takes_its_shop_from_there",
    ),
    # ---- the ordinary chain
    Mutant(
        "P265",  # nothing old is obeyed
        CHAIN,
        "if lost_runs.is_stale(staged.utterance, clock.now()):",
        "if False:",
        f"{CHAINED}::test_a_sentence_that_waited_for_too_long_is_not_obeyed_any_more_and_that_is_said",
    ),
    Mutant(
        "P265",  # nobody is asked to do what may be done already
        OFFERING,
        "course.unknown = course.over = sent and",
        "course.unknown = sent and",
        f"{CHAINED}::test_a_plugin_that_outlasts_its_deadline_may_have_done_it_and_nobody_else_is_asked",
    ),
    Mutant(
        "P265",  # nor after the run was called lost
        OFFERING,
        "if not mine():",
        "if False:",
        f"{CHAINED}::test_a_worker_that_wakes_up_after_its_run_was_called_lost_asks_nobody_else_and_says_nothing",
    ),
    Mutant(
        "P265",  # and a run has one end
        CHAIN_ENDS,
        "pk=run.pk, status=status, holder=run.holder",
        "pk=run.pk, holder=run.holder",
        f"{CHAINED}::test_a_run_has_one_end",
    ),
    Mutant(
        "P265",  # and what died is not begun again
        CHAIN,
        "    if staged is None:\n",
        "    ChainRun.objects.filter(pk=chain_run_id).update(status=STAGED)\n"
        '    staged = ChainRun.objects.select_related("utterance").get(pk=chain_run_id)\n    if staged is None:\n',
        f"{CHAINED}::test_a_run_that_died_after_its_claim_is_left_to_the_sweep",
    ),
    Mutant(
        "P265",  # nobody is called lost who still works
        "interactions/lost_runs.py",
        "if since is None or since <= over or processes.gone(holder):",
        "if True:",
        f"{CHAINED}::test_a_run_whose_worker_is_gone_is_said_once_and_never_run_again",
    ),
    Mutant(
        "P082",  # one trial after a rest
        HEALTH,
        "(open_until=at + timedelta(seconds=trial_s)) == 1",
        "(open_until=at + timedelta(seconds=trial_s)) >= 0",
        "tests/unit/test_health.py::test_after_a_rest_one_sentence_is_the_trial_and_the_others_pass",
    ),
    # ---- one second of sound, reported twice
    Mutant(
        "P022",
        TWINS,
        "OVERLAP = 0.6",
        "OVERLAP = 0.9",
        f"{ONE_EAR}::test_sixty_per_cent_of_the_shorter_interval_is_one_utterance_whoever_reports_it",
    ),
    Mutant(
        "P255",  # of two clocks
        TWINS,
        "if _clock(one) != _clock(report):",
        "if False:",
        f"{ONE_EAR}::test_intervals_of_two_clocks_are_never_compared",
    ),
    Mutant(
        "P028",  # an open session is not opened again
        "interactions/ownership.py",
        "if twin.of.session_id is None and session is None:",
        "if twin.of.session_id is None:",
        "tests/flows/attack/test_one_sound.py::test_a_phrase_that_is_reported_again_beside_an_open_session_opens_no_second_one",
    ),
    Mutant(
        "P022",  # another amount is another order
        SAMENESS,
        "if any(_sound(word) in _TELLING_SOUNDS or word[0].isdigit() for word in (*one, *two)):",
        "if False:",
        "tests/unit/test_text.py::test_different_orders_are_not_the_same_speech",
    ),
    Mutant(
        "P022",  # and so is another thing
        SAMENESS,
        "SPELLED, LONG = 5, 7",
        "SPELLED, LONG = 3, 3",
        "tests/unit/test_text.py::test_different_orders_are_not_the_same_speech",
    ),
    Mutant(
        "P022",  # a worker handles what it has read, or reads again
        "interactions/turns.py",
        "status=InboxItem.Status.WAITING, text=item.text)",
        "status=InboxItem.Status.WAITING)",
        "tests/races/test_twins_and_the_worker.py::test_a_worker_that_has_read_the_short_words_handles_the_long_ones",
    ),
    Mutant(
        "P022",  # what is begun is not replaced
        REVISIONS,
        "status=WAITING, attempts=0, overtaken__isnull=True)",
        "overtaken__isnull=True)",
        f"{ONE_EAR}::test_what_a_twin_says_more_is_a_turn_of_its_own_once_the_first_was_handled",
    ),
    Mutant(
        "P022",  # nothing makes the phrase that spends
        REVISIONS,
        "if any(_spends(one, heard.session) or _ends(one, heard.session) for one in (item.text, words)):",
        "if any(_ends(one, heard.session) for one in (item.text, words)):",
        f"{ONE_EAR}::test_no_twin_makes_a_phrase_that_spends",
    ),
    Mutant(
        "P022",  # and one that a twin extends or denies is not alone
        STEPS,
        "return twin.reason != twins.FOREIGN and (alike or _is_phrase(twin, spec))",
        "return True",
        f"{SECOND}::test_a_wake_that_the_other_device_heard_otherwise_is_no_consent_whichever_reports_first",
    ),
    Mutant(
        "P262",  # what a twin says more is heard behind the phrase, and holds it back
        REVISIONS,
        "if _spends_behind(item, heard.session):",
        "if False:",
        f"{SECOND}::test_what_a_twin_says_more_is_heard_before_the_phrase_that_came_meanwhile_is_acted_on",
    ),
    Mutant(
        "P262",  # the report that it took the wake from may deny it
        STEPS,
        "*([phrase.alias_of] if phrase.alias_of is not None else [])",
        "",
        f"{SECOND}::test_a_wake_that_the_other_device_heard_otherwise_is_no_consent_whichever_reports_first",
    ),
    Mutant(
        "P262",  # and so may what another session took
        STEPS,
        "if unheard or not all(_is_phrase(one, spec) for one in _taken_from(work.session, after=item.utterance)):",
        "if unheard:",
        f"{SECOND}::test_what_the_session_of_another_device_took_holds_back_the_phrase_before_it",
    ),
    Mutant(
        "P256",  # a device that was given away takes no consent along
        STEPS,
        "if not Device.objects.filter(pk=work.session.device_id, owner=work.session.user_id).exists():",
        "if False:",
        "tests/flows/attack/test_meanwhile.py"
        "::test_the_phrase_spends_nothing_where_its_device_was_given_to_somebody_else_meanwhile",
    ),
    Mutant(
        "P254",  # nothing waits for a clock that was set back
        "interactions/agenda.py",
        "now < item.not_before <= now + LONGEST_HELD",
        "now < item.not_before",
        "tests/flows/attack/test_meanwhile.py"
        "::test_what_waits_for_the_number_before_it_does_not_wait_for_a_clock_that_was_set_back",
    ),
    Mutant(
        "P021",
        OWNERSHIP,
        "if twin.reason == twins.FOREIGN:",
        "if False:",
        f"{ONE_EAR}::test_a_twin_without_a_name_of_what_a_stranger_said_changes_nothing",
    ),
    Mutant(
        "P027",
        TWINS,
        "if one.session_id is not None and active.exists():",
        "if False:",
        f"{TWO_EARS}::test_words_for_an_open_mode_are_no_sentence_of_another_device_and_that_is_explained",
    ),
    Mutant(
        "P027",  # short words are the other device's own
        TWINS,
        "FEWEST_ELSEWHERE = 3",
        "FEWEST_ELSEWHERE = 1",
        f"{TWO_EARS}::test_other_words_short_words_and_later_ones_are_the_other_devices_own",
    ),
    Mutant(
        "P027",  # so are later ones
        TWINS,
        "ELSEWHERE = timedelta(seconds=2)",
        "ELSEWHERE = timedelta(seconds=20)",
        f"{TWO_EARS}::test_other_words_short_words_and_later_ones_are_the_other_devices_own",
    ),
    # ---- one wake, several devices
    Mutant(
        "P028",
        ARBITRATION,
        "return old if old is not None and verdict.opening is not None and verdict.opening.key == old.mode else None",
        "return None",
        f"{ONE_WAKE}::test_one_session_is_opened_and_it_is_at_the_better_device",
    ),
    Mutant(
        "P028",  # once it is decided it stays decided
        ARBITRATION,
        "if not old.open:",
        "if False:",
        f"{ONE_WAKE}::test_c02_a_far_device_that_comes_too_late_is_told_who_has_it_however_well_it_heard",
    ),
    Mutant(
        "P204",  # a session that has decided something
        ARBITRATION,
        "unbegun = InteractionSession.objects.filter(pk=session.pk, status=sessions.ACTIVE, revision=0)",
        "unbegun = InteractionSession.objects.filter(pk=session.pk, status=sessions.ACTIVE)",
        f"{ONE_WAKE}::test_what_was_begun_is_not_taken",
    ),
    Mutant(
        "P204",  # a worker that is just deciding for the device that lost
        ARBITRATION,
        'fence=F("fence") + 1, lease_owner="", lease_until=None, work_pending=True',
        "work_pending=True",
        "tests/races/test_arbitration.py::test_a_worker_that_has_begun_for_the_device_that_lost_stores_nothing_of_it",
    ),
    Mutant(
        "P266",
        ARBITRATION,
        "filter(pk=loser.pk, silenced_upto__lt=wake.pk)",
        "filter(pk=loser.pk)",
        f"{ONE_WAKE}::test_a_stop_is_not_undone_by_the_wake_that_goes_to_another_device_after_it",
    ),
)
