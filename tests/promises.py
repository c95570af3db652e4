"""What must hold, one testable line each: id -> (source, sentence). A test names the promise it keeps with ``@pytest.mark.promise``.

Sources: S the specification, U the user's design card, C how earlier generations behave, D decided here. ``NOT_YET`` says of each
promise without a test what it waits for, and ``PARTLY`` of one with tests what they do not show; neither counts as kept.
``test_promises.py`` holds all three lists to the tests.
"""

from __future__ import annotations

PROMISES: dict[str, tuple[str, str]] = {
    # Ingress
    "P001": (
        "D",
        "A final streaming utterance is offered to the active mode or an activation phrase before the ordinary chain.",
    ),
    "P002": ("S+C", "An acoustic command goes through the same ingress as a streaming final."),
    "P003": ("S+C", "Interim (non-final) text never reaches ingress."),
    "P004": ("C", "Empty or blank text is not consumed."),
    "P005": ("S+C", 'With no active mode and no phrase, the result is "not consumed" and the chain runs.'),
    "P006": ("C", "Ingress performs no plugin, LLM or MCP call."),
    "P007": ("D", "User and device come from the authenticated device record, never from the request body."),
    "P008": ("D", "A device without an owner routes nothing."),
    "P009": (
        "S+C",
        "An accepted input is stored once, with id, source, times and text, in the same transaction that makes it due for processing.",
    ),
    "P010": ("C", "`start` input carries only the remainder after the phrase; `turn` carries the full text."),
    "P011": (
        "S",
        'Under windowed_batch a fixed window is evidence only: never a shopping turn, never an activation (a bare "order Swiggy" in it does nothing), never a follow-up command.',
    ),
    "P012": ("S", 'Under windowed_batch, acoustic "Hermes, order Swiggy" still activates.'),
    "P013": ("S", 'Under windowed_batch every later turn needs an acoustic command; "Hermes, confirm order" is one.'),
    "P014": ("S", 'Under streaming_stt, bare "order Swiggy" plus open-mic turns work.'),
    "P015": ("S", "Uploads, imports and ScreenPipe never activate a mode."),
    "P016": ("S", "Audio ingest, live segmentation and mode are independently configurable."),
    "P017": (
        "D",
        "Speech that repeats what we are saying, or have just said, is consumed, logged as echo and not acted on; other speech during playback is a turn (barge-in).",
    ),
    "P018": ("D", "A wake capture that the device marks as without speech is not routed as a command."),
    "P019": ("D", "A wake detection may carry its command text, or only announce that speech follows."),
    "P020": ("D", "A wake detection without text within its window is reported to the device as 'heard you, caught no words'."),
    "P021": (
        "D",
        "Where the operator names allowed speakers, an utterance from another identified speaker makes no mutating turn and says so in the log.",
    ),
    # Dedupe
    "P022": (
        "S+C",
        "The same speech from streaming and wake is admitted once: by audio interval (overlap of 60 % of the shorter one) where both carry one, else by near-equal text captured within 5 s (received within 5 s where a source sends no times).",
    ),
    "P023": ("C", "The duplicate is still consumed, so it does not leak to the chain."),
    "P024": ("C", "A leading assistant name does not defeat dedupe."),
    "P025": (
        "D",
        "A repeated short command ('yes', 'yes') with different intervals, or without intervals from one source, is admitted twice.",
    ),
    "P026": ("C", "After the window the same text is admitted again."),
    "P027": (
        "D",
        "Dedupe is scoped to user and client; near-equal text at another device of the owner within 2 s is an alias while that owner has a mode open or opening.",
    ),
    "P028": ("S+C", "A duplicate activation yields one session."),
    "P029": ("C", "A redelivered input is not processed twice."),
    "P030": ("D", "Two finals from one source whose intervals overlap by 60 % are one utterance; below that they are two."),
    # Sessions
    "P031": ("S+C", "A session has its own id, owner, phase, state, user, client, audio session and two deadlines."),
    "P032": ("S+C", "It never stores a Conversation id."),
    "P033": ("S", "It can start with no Conversation and neither creates nor closes one."),
    "P034": (
        "S+C",
        "It survives an audio-session reconnect and a device restart; the audio session id follows the latest turn.",
    ),
    "P035": ("S+C", "Idle limit 10 min from last accepted input."),
    "P036": ("S+C", "Hard limit 30 min from start, whatever the activity, unless frozen by P206."),
    "P037": ("C", "The hard limit wins when both are due."),
    "P038": ("D", "Expiry runs the mode's end step once, frees the slot and tells the device what was kept."),
    "P039": (
        "D",
        "The first turn received after the deadline ends the session instead of being handled; one received before it is handled, however late its turn comes.",
    ),
    "P040": ("S+C", "State, phase, deadline and replay marker commit together."),
    "P041": ("C", "Returned state replaces the old state completely."),
    "P042": ("C", "Omitted phase or state keeps the old value."),
    "P043": ("C", "Turn counter grows by one per handled input."),
    "P044": ("C", "Ending clears the slot only if it still points at this session."),
    "P045": ("C", "A mode definition with hard < idle, no phrase or an empty id is rejected."),
    "P046": (
        "D",
        "An utterance for an ended session is routed afresh if an earlier utterance of its queue ended it, else dropped, marked and told; signals of payments are never dropped.",
    ),
    # Activation
    "P047": ("S+C", '"order swiggy" activates in any case and with punctuation.'),
    "P048": ("S+C", '"Hermes, order Swiggy" and "Hey Hermes order Swiggy" activate.'),
    "P049": ("C", "Text before the phrase (other than the name, fillers and courtesies) does not activate."),
    "P050": ("C", '"order swiggys" (no word boundary) does not activate.'),
    "P051": ("C", "The remainder becomes the pending request."),
    "P052": ("C", "The longest phrase wins."),
    "P053": ("C", "Two simultaneous activations create one session; the loser becomes a turn."),
    "P054": ("C", "Configured transliterations activate."),
    "P055": ("D", "Activation phrases and wake names can be read by the speech recogniser as hints (GET /api/v1/modes)."),
    # Exclusivity
    "P056": ("S+C", "An active mode sees every accepted utterance first."),
    "P057": ("S+C", "Those utterances reach no ordinary plugin (Home Assistant, Hermes chat, keyword plugins)."),
    "P058": ("C", "Duplicates and echoes do not reach the chain either."),
    "P059": ("S+C", "One active mode per user and client."),
    "P060": ("C", "A second phrase inside an active mode is a turn."),
    "P061": ("S+C", "Another user or client is unaffected, but for the one order per shopping account (P205)."),
    "P062": ("C", "After the end the chain works again at once."),
    "P063": ("S", "Priority does not arbitrate an active mode."),
    "P064": ("C", "Turns of one session are processed strictly in order."),
    # Plugins and configuration
    "P065": ("S+C", "One owner per mode id; a second is an error naming the first."),
    "P066": ("S+C", "Equal phrases across modes are an error."),
    "P067": ("S+C", "Word-prefix phrases are an error, both directions."),
    "P068": ("S+C", "Only modes listed in configuration are registered."),
    "P069": ("C", "An unknown listed mode is an error."),
    "P070": ("C", "`modes` must be a list of non-empty strings."),
    "P071": ("C", "A disabled plugin is not built."),
    "P072": ("S+C", "Chain order follows priority, lower first, default 100."),
    "P073": ("C", "`should_continue=false` stops the chain."),
    "P074": ("C", "Returning nothing passes to the next plugin."),
    "P075": ("C", "An exception in one plugin does not stop the others and is recorded."),
    "P076": ("C", "Condition `always`, `wake_word`, `keyword_anywhere`, `acoustic_wake_word` each behave as specified."),
    "P077": ("C", "The wake word or keyword is removed from `command`."),
    "P078": ("C", "Shared event data is not mutated between plugins."),
    "P079": (
        "D",
        "`${VAR}` and `${VAR:-x}` expand in the files of enabled plugins; a missing variable without a default stops the start and is named; values are typed ('false' is false).",
    ),
    "P080": ("D", "An unknown, misspelt or duplicate key stops the start, with file, key and nearest valid key."),
    "P081": ("C", "`call_plugin` to an unknown or disabled plugin returns a failed result."),
    "P082": ("C", "Connectivity errors mark a plugin degraded and retry with backoff."),
    "P083": ("C", "Health checks are bounded and demote a failing plugin."),
    "P084": ("C", "Secrets are masked when configuration is read back."),
    "P085": ("D", "A session whose owner plugin is gone or disabled ends as owner_unavailable, spoken."),
    # Normal chain behaviour
    "P086": ("C", "Hermes posts the command with the session header and speaks the answer."),
    "P087": ("C", "Hermes with no command does not call the agent."),
    "P088": ("S+C", "Hermes `notify` sends a signed request and starts no LLM turn."),
    "P089": ("C", "`notify` without text, or another action, fails cleanly."),
    "P090": ("C", "Home Assistant handles and stops, or declines and passes on."),
    "P091": ("C", 'A "thinking" cue plays once when a fast handler declines and another remains.'),
    "P092": ("C", "A successful command opens the follow-up window; an unsuccessful one does not."),
    "P094": ("C", "A recorder plugin for tests records every event and never stops the chain."),
    # Swiggy: start and address
    "P095": ("C", "An unlinked user gets a reply, the mode ends, Swiggy is not called."),
    "P096": ("C", "Missing credentials end as not_configured."),
    "P097": ("C", "No saved address ends with advice."),
    "P098": ("S+C", "The address whose whole label equals preferred_address_label, case-insensitively, is proposed."),
    "P099": ("C", "Similar longer labels are not chosen."),
    "P100": (
        "S+C",
        "If that label is missing, not unique or not configured, another saved label is asked for; the first returned address is never chosen silently.",
    ),
    "P101": ("S+C", "The cart is neither read nor changed before an explicit yes."),
    "P102": ("C", "Unclear answers repeat the question."),
    "P103": ("S+C", '"change address" asks for a label; the chosen one must be confirmed too.'),
    "P104": ("C", "A spoken exact label beats labels containing it; an ambiguous partial label is refused."),
    # Swiggy: cart, search, quantity
    "P105": ("S+C", "A non-empty cart requires keep or clear; anything else changes nothing."),
    "P106": (
        "S+C",
        "'keep cart' leaves it; 'clear cart' clears it once and verifies by reading it back; a failed clear stays in the decision.",
    ),
    "P107": ("C", "The pending request from activation runs after the address and cart steps."),
    "P108": ("C", "A search uses the confirmed address id."),
    "P109": (
        "S+C",
        "N samples of a query (default 3) start together and are merged by product id; agreement may end the wait early, never turn it into one after another.",
    ),
    "P110": ("C", "Promoted products come after organic ones; out-of-stock variants are dropped."),
    "P111": ("C", "At most three options are read out, each with brand, size and price."),
    "P112": (
        "D",
        "A whole-turn number or ordinal, or 'option N', selects; a number inside a longer sentence does not select by itself.",
    ),
    "P113": ("C", "Quantity must be 1-20; 0 removes a cart line."),
    "P114": ("C", "Selecting an item already in the cart raises its quantity."),
    "P115": ("C", '"remove item N" and natural quantity changes work.'),
    "P116": ("C", "One to five items per turn; more is refused without searching."),
    "P117": (
        "D",
        "Several wanted items are searched concurrently, at most three at once, then chosen one by one; 'skip' moves on.",
    ),
    "P118": ("C", "Items not found are named; the rest continues."),
    "P119": ("D", "'show cart' reads at most three lines, the rest as a count, and the total; the screen shows all."),
    "P120": ("S+C", "Cart writes and checkout of one account never overlap, over all sessions, devices and workers."),
    "P121": (
        "S+C",
        "Shopping talk that the rules leave open is classified by the fast LLM (`defaults.fast_llm`) into exactly five tools: search, select, set quantity, show cart, final review (changes nothing); each attempt is bounded.",
    ),
    "P122": ("C", "A hung primary falls back inside the bound."),
    "P123": ("C", "LLM failure gives a usable hint and keeps the session."),
    "P124": ("S+C", "No tool lets the LLM check out or confirm."),
    "P125": ("C", "More than one tool call per turn is refused."),
    # Swiggy: review and checkout
    "P126": (
        "S+C",
        "'complete order' re-reads cart and payment options, checks that the cart's address is the confirmed one, and reads back items, total, address, payment.",
    ),
    "P127": ("S+C", '"that\'s all" may trigger review, never checkout.'),
    "P128": ("C", "An empty cart cannot be reviewed."),
    "P129": (
        "D",
        "A total that cannot be read, or at or above the configured limit (₹1000 by default), is refused before any checkout call.",
    ),
    "P130": ("S+C", "No UPI scan option: refuse, never fall back to cash."),
    "P131": ("C", '"confirm order" before a review is refused.'),
    "P132": (
        "S+C",
        'Only the exact phrase, as its own utterance, checks out: exact after case, punctuation and a leading assistant name are removed (or a published spelling in another script); nothing else is stripped, joined, corrected or transliterated; two joined finals never count; recogniser confidence under 0.6, where given, never counts; "yes" does not.',
    ),
    "P133": ("S", '"complete order confirm order" in one utterance does not check out.'),
    "P134": ("S+C", "Before checkout the cart is re-read and compared (address, items, total)."),
    "P135": ("S+C", "A changed cart needs another 'complete order': what changed is spoken, nothing is placed."),
    "P136": ("S+C", "A review older than its validity needs another 'complete order'."),
    "P137": ("S+C", "The intent is stored before the call; the call is made once."),
    "P138": (
        "S+C",
        "Every failure after the intent is stored is outcome unknown with 'check Swiggy', unless nothing was sent or the refusal is on the closed list of design part 2; a success:false that is not on it, and a success without an order id, are unknown.",
    ),
    "P139": ("S+C", '"cancel order" before checkout ends and leaves the server cart.'),
    "P140": ("S+C", "After checkout no cancellation is claimed."),
    # Swiggy: payment
    "P141": ("S+C", "Only UPI scan-or-tap is requested."),
    "P142": (
        "S+C",
        "The link, unchanged and unopened by us, goes out through the Hermes notify action and in the interaction SSE event, otherwise only to the linked user's own screens and channels; it is never spoken, never logged, never shown to an operator unasked.",
    ),
    "P143": ("C", 'Failed notification is said, and "resend payment link" works.'),
    "P144": ("C", "Missing order or payment ids end with advice, no monitor."),
    "P145": ("S+C", "Monitoring is bounded in interval, window and total time, and is resumed after a restart."),
    "P146": (
        "S+C",
        "Success confirms if not already confirmed; `confirm_order` is sent at most once per order whatever crashes, and a confirm without an answer is followed by status reads only.",
    ),
    "P147": (
        "C",
        "Failed, cancelled, refunded and cart-changed each end the session with their own reason and sentence; none starts another checkout.",
    ),
    "P148": (
        "D",
        "At the deadline one confirm finalises, unless one was sent before; the outcome is reported as unknown unless the answer says otherwise.",
    ),
    "P149": ("C", "A monitor error is reported as unknown, not as failure."),
    "P150": ("C", "The monitor's end cannot be undone by a concurrent turn."),
    "P151": ("C", "If monitoring cannot start, the user is told and nothing is resubmitted."),
    # Recovery
    "P152": ("S+C", "An input left by a dead worker is taken over within 10 s of its lease ending and processed in order."),
    "P153": (
        "S+C",
        "Crash after the cart checkpoint: the identical payload is applied, unless reading shows that it is there already or someone changed the cart since (then the difference is spoken and nothing is written); quantity does not double.",
    ),
    "P154": (
        "S+C",
        "Crash after the checkout intent: outcome unknown, no second call; the speaker hears so, and to check Swiggy, before any look-up begins.",
    ),
    "P155": ("C", "Crash after commit: the input is not handled again."),
    "P156": (
        "S+C",
        "Reads retry within the cap; checkout and confirm never; a cart write is only ever replayed with its stored payload.",
    ),
    "P157": ("S+C", "Every MCP attempt is bounded."),
    "P158": (
        "D",
        "A reply is stored with the state change that caused it; a failed delivery is delivered later or is there on reconnect, once.",
    ),
    "P159": ("C", "A malformed input does not stop the worker."),
    "P160": ("C", "A monitor starting before the state commit waits for it."),
    # Operations
    "P161": (
        "S+C",
        "The enabled plugins say which workers are needed: with no mode nothing of any mode is loaded or waited for and the ordinary chain works; with a mode or a wake subscriber and nobody on its queue, `/status` is red and names the queue.",
    ),
    "P162": ("S+C", "A disabled Swiggy plugin needs no credentials, no linked user and no MCP connection."),
    "P163": (
        "D",
        "Broker, workers, beat and sign-in are visible in /status; a deaf worker turns it red, while /readyz says only whether this process can accept.",
    ),
    "P164": (
        "D",
        "SSE events for started, reply, updated, ended and payment carry session id, mode, phase, status, reason and reply id.",
    ),
    "P165": (
        "S+C",
        "Each reply reaches the session's current device once, as a speech request (P245), and no other device speaks it.",
    ),
    "P166": ("C", "Traces carry ids, phase and sizes but no user text."),
    "P167": ("C", "Plugin health shows initialised / degraded / failed with the error."),
    "P168": ("C", "A plugin event log can be read and cleared."),
    # Enabling and authorisation
    "P169": ("S+C", "Mode is off until enabled and listed."),
    "P170": ("S+C", "Exactly the linked user may use it; anyone else hears that it is not linked, and Swiggy is not called."),
    "P171": (
        "S+C",
        "The token directory is `integrations/swiggy` under the data directory (in the container /app/data/integrations/swiggy) unless SWIGGY_TOKEN_DIRECTORY says otherwise; it holds both files, is private to the process owner and lies outside the project tree.",
    ),
    "P172": ("C", "An unset linked user is a clear start-up error."),
    "P173": ("C", "Credential files are private to the process owner and replaced atomically."),
    "P174": ("S", "Credentials are never committed or stored in configuration."),
    "P175": ("S+C", "A refresh never opens a browser from a worker."),
    "P176": ("S+C", "Expired authorisation gives an explicit error and how to renew."),
    "P177": ("S", "Replacing the token files takes effect without a restart."),
    "P178": ("S", "The MCP dependency being absent does not break a deployment without the mode."),
    # Beyond the original
    "P201": (
        "D",
        "The money phrase counts only after the read-back was heard in full: by voice, finished at least 600 ms before the phrase began (as the utterance or a report says, else the bound of design part 6); typed and tapped, it names the review; too early is answered and keeps the review.",
    ),
    "P202": (
        "D",
        "A confirmation belongs to one review: its revision, cart fingerprint, address, total and device. A second confirmation of the same review does nothing.",
    ),
    "P203": (
        "D",
        "For every crash point in every conversation of the certification suite: checkout calls <= 1; the cart equals the last intended full replacement, or the difference was spoken before anything else was written or reviewed; no reply is lost or spoken twice.",
    ),
    "P204": (
        "D",
        "Two workers, two devices, repeated posts, and lost, repeated or reordered doorbells (and posts that carry `seq`, in any order) give the same state as one worker and one post each.",
    ),
    "P205": (
        "D",
        "At most one unfinished order per linked Swiggy account, enforced by the database; a second device is told where the order is and may take it over by saying so.",
    ),
    "P206": (
        "D",
        'From the moment a checkout intent is stored until its payment settles or frozen_until (payment cap + 5 min; look-up 3 min), whichever is first, no deadline ends the session, and no end text claims that nothing was placed; "stop" meanwhile says what stands and ends the session as left_while_paying.',
    ),
    "P207": (
        "D",
        "An unknown checkout is looked up by evidence (order list, active orders, cart emptied, amount and time); absence is never taken as proof; the operator sees it and can settle it.",
    ),
    "P208": (
        "D",
        "After each write the cart in the answer is compared with the intended one; if it carries none or differs, one re-read decides; the review always re-reads. Removed, capped and foreign lines are spoken with their numbers.",
    ),
    "P209": (
        "D",
        "A universal word (stop, cancel, help, repeat, what can I say) works in every state, in English and Hindi, and calls neither the model nor Swiggy.",
    ),
    "P210": (
        "D",
        '"add two milk and a bread", "make it three", "remove the milk", "no, the other one", "undo", "same as last time" work, in English, Roman Hindi and Devanagari, with exact rational amounts (dedh, dhai, sava, paune, paav, aadha, darjan).',
    ),
    "P211": (
        "D",
        "Without any language model configured the whole order can be spoken; with one, its failure or slowness costs one sentence, never the session.",
    ),
    "P212": (
        "D",
        "Text from Swiggy, from a product title or from a model is data: it is never an instruction, never spoken as our own claim, and never changes what is placed.",
    ),
    "P213": (
        "D",
        "A reply carries ready-made choices, so that a screen can show buttons; a tap is an utterance like any other.",
    ),
    "P214": (
        "D",
        "A device that reconnects with its cursor gets every later event once, in order, within 2 s, past prompts marked as past; one without a cursor gets only new events and fetches the state.",
    ),
    "P215": (
        "D",
        "A turn that may take longer is announced by the `thinking` cue, which the device plays after 0.9 s unless the answer is there.",
    ),
    "P216": (
        "D",
        "Silence is met by a ladder paced from the end of playback: repeat once, check once, then quiet; it moves no deadline, and only the idle or hard deadline closes the session, saying that the basket is kept.",
    ),
    "P217": (
        "D",
        'Rehearsal: "practice order Swiggy" runs the same mode against the sandbox, is announced as practice, and cannot spend.',
    ),
    "P218": (
        "D",
        "The operator can see for any utterance what was heard, who took it, what was decided and why, what was called, what was answered, and how long each part took.",
    ),
    "P219": (
        "D",
        "Stored speech, payment links and addresses are deleted or redacted after their retention; one person's data can be exported and deleted.",
    ),
    "P220": (
        "D",
        "A new mode is two files and one configuration entry; a wrong declaration is refused at start with the plugin, the fault and the file named; every phase has stop, help, silence and deadline exits; a ONCE effect that spends is accepted only with the unused utterance that spoke its declared phrase in its declared phase.",
    ),
    # From the specification and the card, second reading
    "P221": (
        "S",
        "Every final, whatever took it, stays readable and unchanged in the evidence feed; starting, ending or expiring a session writes nothing there and says nothing about an event or a Conversation.",
    ),
    "P222": (
        "S",
        "`defaults.live_segmentation`, or the operator's override on the device record, decides how live speech counts; a body that claims another value is stored as evidence, answered `recorded` with reason `segmentation`, and reaches no mode.",
    ),
    "P223": (
        "S",
        "A live segmentation is one entry of a table (name; whether its intervals may be turns); an unknown name stops the start; a turn segmenter added by a test as one entry brings open-mic turns with no other change.",
    ),
    "P224": (
        "S",
        "Uploads, ScreenPipe and imports enter through `POST /api/v1/evidence` (service token; person, kind and times per item; up to 500 items; an item id makes a repeat harmless), in any order of time, without a device, a mailbox or a turn.",
    ),
    "P225": (
        "U",
        "The same idempotency key and body from one device return the stored answer, marked, with no second effect; another body 422, no key 400, a first one not yet committed 409; a refused body does not use its key up; a key lasts 72 h and never less than its utterance; another device's equal key is another key.",
    ),
    "P226": (
        "U",
        "Acceptance takes the person's lock, then the device's, then the session's, always in this order: 200 mixed posts on three devices of one person end without deadlock, with one activation per device and one verdict per speech; on PostgreSQL a person whose lock is held delays nobody else.",
    ),
    "P227": (
        "U",
        "No step, effect, chain plugin, model or MCP call runs in the web process (ownership is decided there, and nothing more): with every worker stopped a POST answers 202 within its bound and nothing further happens until a worker starts; eager Celery is refused outside unit tests.",
    ),
    "P228": (
        "U",
        "Without another word, beat ends an overdue session within 10 s of its deadline; with two beats once; with beat dead the next turn ends it, and the rest within 10 s of beat's return.",
    ),
    "P229": (
        "U",
        "The database itself refuses, by plain SQL on SQLite and PostgreSQL: a second active session of one user and client, an unknown status, an end without a reason, a hard deadline before the start, a checkpoint settled without an outcome, a second open order of one account, a second use of one consent, a second event of one (device, cause, ordinal).",
    ),
    "P230": (
        "U",
        "A checkpoint with effect, policy, exact payload and its hash is committed before the effect's first byte leaves; attempts, times and outcome follow; a settled one never changes again, by any code or form.",
    ),
    "P231": (
        "U",
        "The admin's active modes are exactly the sessions not ended, at most 5 s old without a reload: user, device, mode, phase, the open question, last words and when, time left to both deadlines, frozen or not, the effect in flight.",
    ),
    "P232": (
        "U",
        "The admin's checkout intents are all ever stored, unknown ones first: session, confirming utterance, reviewed lines and total, address label, outcome and evidence, order ids, payment state and time left, chain verdict; the link is masked, and opening it is logged.",
    ),
    "P233": (
        "U",
        "No admin form adds, edits or deletes a session, checkpoint, intent, utterance or event; an operator's end and retry are inbox items handled in order under the lease, settle, resend and re-arm are guarded updates of intent or watch, and each stands in the log with who and why.",
    ),
    "P234": (
        "U",
        "`rotate_swiggy_tokens --from DIR` checks both files, proves the pair by one read, installs both or neither (killed anywhere, a matching pair stands), keeps the old pair for `--rollback`, warns while an order is open, prints no secret; exit 0 installed, 2 unusable files, 3 refused by Swiggy; running workers use it from their next call.",
    ),
    "P235": (
        "U",
        "`swiggy_status`, the status line and the admin give one verdict: usable with days left, ending within a day, or unusable and why (exit 0, 1, 2).",
    ),
    "P236": (
        "S",
        "`SWIGGY_LINKED_USER_ID` names one existing, active user by primary key or user name; anything else turns `/status` red with the variable's name, and the mode answers that it is not set up.",
    ),
    "P237": (
        "S",
        "As shipped, swiggy_instamart is off; `make run` and `make demo` switch it on in a configuration of their own, against the sandbox; `SWIGGY_MCP_URL` has no default, and the bearer goes to that origin only, over TLS (loopback excepted), through no redirect.",
    ),
    "P238": (
        "S",
        'The proposal is the question "Use Home for delivery?", with the label as Swiggy saved it; the shipped label setting is `Home`.',
    ),
    "P239": (
        "S",
        "Each limit is a named setting with its shipped value in the generated table, obeyed when changed and refused out of range: idle, hard, dedupe window, LLM attempt, MCP attempt, read attempts, samples, review validity, order limit (or none), payment interval and window.",
    ),
    "P240": (
        "S",
        'A checkout that was refused, or provably not sent, voids its review; only another "complete order" and another "confirm order" can spend.',
    ),
    "P241": (
        "S",
        'After an unknown outcome the next review opens with the order that may exist (total, time), and until that was played "confirm order" spends nothing; the account is blocked no longer than the look-up runs.',
    ),
    "P242": (
        "U",
        "`compose.yaml` has web, worker, one beat, one-shot migrate, PostgreSQL, Valkey and a streaming edge; a test reads it and runs each command and health check by hand, with the file's environment, to one paid sandbox order through the edge; tokens lie at /app/data/integrations/swiggy on a named volume, 0700, non-root; a rebuilt image keeps data and open sessions.",
    ),
    "P243": (
        "U",
        "The top level holds the card's eight entries and only tool files beside them; the card's eight packages are pinned in requirements.txt, and each is imported by product code at the boundary that docs/decisions names.",
    ),
    "P244": (
        "U",
        "Replies are served by django_eventstream's own view with our storage and channel manager; there is no second stream implementation.",
    ),
    "P245": (
        "S",
        "A reply is a speech request: `speech` (numbers, units and rupees as words of its language), `text` for a screen, `lang`, `speak`, `expects_reply` with `listen_ms`, `expires_at`, `supersedes`, `est_ms`; a device that reads `speech` and `lang` alone can hold a whole order.",
    ),
    "P246": (
        "D",
        "A device declares what it has (own voice, screen, microphone open / push / wake, playback reports, languages) and replies fit it: without a voice they carry `audio_url`, without a screen nothing needed is only shown.",
    ),
    "P247": (
        "D",
        "`GET /api/v1/replies/{id}/audio` gives a reply as audio from the configured engine (`defaults.tts`), synthesised once by an effect staged with the reply and cached by its words; the GET serves the file or 503, and the words still count; another device's reply is 404.",
    ),
    "P248": (
        "D",
        "Playback reports can be repeated and only move forward (started, then finished, interrupted or failed; shown counts as finished where there is no voice); late, contradictory and foreign ones change nothing; a review that failed or was cut cannot be confirmed until it was played again.",
    ),
    "P249": (
        "D",
        "Without a report a reply counts, for the silence ladder, as played 1.5 × `est_ms` + 3 s after delivery, and the admin says that this device reports nothing.",
    ),
    "P250": (
        "D",
        "A device without SSE, or told to reset, reads `GET /api/v1/replies?after=CURSOR` (same rows, same order, waiting up to 25 s if asked, without holding a database connection); POST's 202 carries the cursor from before the utterance; an open stream is never silent for more than 15 s.",
    ),
    "P251": (
        "D",
        "Cues (heard, thinking, listening, error) are events of their own, at most one of a kind per turn, never words.",
    ),
    "P252": (
        "S",
        "A signed-in screen of the same user may follow a session on another device: the same events with `speak: false`, the payment link among them; it never speaks and never confirms; anyone else gets 404.",
    ),
    "P253": (
        "D",
        "A yes, no, number or confirmation answers only a question delivered before it was captured; a turn that reaches us more than 30 s after its capture (receipt minus Utterance-Age; without it, receipt) changes nothing, is recorded as `late`, and that is said.",
    ),
    "P254": (
        "D",
        "Posts of one device that carry `seq` are handled in that order (a gap waits at most 2 s), others in order of receipt; a lower `seq` that comes later never undoes a later turn.",
    ),
    "P255": (
        "D",
        "A new audio session or capture epoch needs no announcement and starts its own clock: intervals are compared within one epoch only, the session follows the newest, and a device clock wrong by 90 s changes nothing.",
    ),
    "P256": (
        "D",
        "A device joins by a code valid five minutes, gets its token once and belongs to one person; revoking it closes its stream within 10 s and ends its session as device_revoked, basket kept; given to someone else it takes no session, reply or cursor along.",
    ),
    "P257": (
        "S",
        "`swiggy_sign_in --to DIR` runs the browser sign-in on an operator's terminal (loopback, PKCE S256) and writes the two files; no web, worker or beat process can import it.",
    ),
    "P258": (
        "S",
        "Rehearsal is a mode id of its own, off unless listed, needs neither linked user nor tokens; `modes: [swiggy_order]` alone stays a complete configuration.",
    ),
    "P259": (
        "D",
        "A take-over is an item of the session's inbox, done when no effect is staged or started, in one transaction with the session's new device; both devices hear it, and the review is void.",
    ),
    "P260": (
        "D",
        "An utterance that is one of the answers just offered is a turn and no echo, unless its interval lies inside the playback.",
    ),
    # From the design review
    "P261": (
        "D",
        "A money phrase older than 10 s when the call would be made, or said before the device had the current review, spends nothing.",
    ),
    "P262": (
        "D",
        'What is said after the phrase and before the call ("no wait", "cancel order") is heard before the call is made.',
    ),
    "P263": (
        "D",
        "A power cut, restore or failover at any point of an order never leads to a second checkout: `recover` makes it unknown and looks it up; settings that would lose the guarding commit stop the start.",
    ),
    "P264": (
        "D",
        "A cart write of a dead or abandoned sender never lands over a newer cart unnoticed: none starts before the account is quiet, and each knows the cart it was computed from.",
    ),
    "P265": (
        "D",
        "The ordinary chain runs at most once per utterance, also when its message is lost, repeated or its worker dies; a lost run is said.",
    ),
    "P266": (
        "D",
        'While a READ is waited for, a universal word is obeyed within 0.5 s; after "stop" nothing that was asked earlier is spoken.',
    ),
    "P267": ("D", "Four slow calls in flight on other sessions leave a deterministic turn within its budget."),
    "P268": (
        "D",
        'An operator\'s retry never replays a money phrase or anything older than 60 s; ending a session from checkout on ends the conversation only; "not placed" needs a second look-up, and a later sighting reopens the intent and tells both.',
    ),
    "P269": ("D", "A plugin with unsettled intents cannot be disabled; `enabled: draining` lets them finish."),
    "P270": (
        "D",
        "A worker that meets a newer state version leaves the session to others; ended-by-upgrade never happens in checkout or payment.",
    ),
    "P271": (
        "D",
        "An unknown checkout reaches a person: the speaker at once, the operator by an alarm channel, not only a page.",
    ),
    "P272": (
        "D",
        "Before a review it is known that the payment link can be shown (a screen or a notify target answers); else that is said, and nothing is reviewed.",
    ),
    "P273": (
        "D",
        '"Where is my order" and "what did I order" are answered in and out of the mode from what the tools return, and claim no more.',
    ),
}

# Not yet kept, and what each waits for. An entry goes when its first test comes; the suite fails while both are there.
_WAITING: dict[str, str] = {
    # retention
    "P219": "comes with retention, export and deletion",
    # the device
    "P246 P247 P251 P252": "comes with the device experience (cues, silence, playback, joining)",
    # the operator
    "P166 P231 P232": "comes with the operator's pages, traces and alarms",
    # the ordinary chain
    "P168": "comes with the log of one plugin",
    # deployment
    "P242": "comes with the deployment image",
    # measuring
    "P267": "comes with the benchmarks",
    # the door
    # the author's kit
    "P239": "comes with the plugin author's kit and the settings table",
}
NOT_YET: dict[str, str] = {promise: reason for promises, reason in _WAITING.items() for promise in promises.split()}

PARTLY: dict[str, str] = {
    "P220": "the door, the tutorial and the consent rule; the exits are declared, and enforced only for deadlines and ends",
    "P256": "revoking ends the session and closes the stream; joining by a code comes with the device experience",
    "P233": "no form, the end in its order, and settle, resend and follow on; the operator's retry comes with the operator's pages",
    "P268": "not placed, its second look, and a later sight; the operator's retry comes with the operator's pages",
}
