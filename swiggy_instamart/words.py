"""The word lists of all ``languages`` as tokens, and the one phrase that spends, which is in no list.

Read once, when imported. A phrase is folded as an utterance is, so that both sides of every comparison are alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from interactions import text
from swiggy_instamart import lexicon
from swiggy_instamart.lexicon import Phrases, Tokens

__all__ = ["Phrases", "Tokens"]

# The published spellings of confirming. Compared by text.is_phrase only, never through any list below.
CONFIRM_PHRASES: tuple[str, ...] = ("confirm order", "कन्फर्म ऑर्डर", "कन्फ़र्म ऑर्डर", "कंफर्म ऑर्डर")

# What opens an order, and practice; the operator may add to both.
BEGIN_ORDER, BEGIN_PRACTICE = lexicon.as_listed("begin_order"), lexicon.as_listed("begin_practice")
PRACTISING = lexicon.phrases("practising")  # what else tells that somebody believes, or wants, to be practising
PRACTISING_GOODS = lexicon.words("practising_goods")  # beside one of these it is said of a thing to buy

# Whole turns.
UNIVERSAL: tuple[tuple[str, Phrases], ...] = tuple(
    (said, lexicon.phrases(said)) for said in ("stop", "cancel", "help", "repeat")
)
WHOLE: tuple[tuple[str, Phrases], ...] = tuple(
    (said, lexicon.phrases(said))
    for said in (
        *("complete", "show_cart", "clear", "keep", "put_back", "change_address", "resend", "skip", "take_over"),
        *("undo", "other", "any", "same"),
    )
)
SKIP = lexicon.phrases("skip")
STOP = lexicon.phrases("stop")
STOP_FIRST = lexicon.words("stop_first")
STOP_ASIDE = lexicon.phrases("stop_aside")
STOP_VERBS = lexicon.words("stop_verbs")
STOP_OBJECTS = lexicon.words("stop_objects")
STOP_DOINGS = lexicon.words("stop_doings")  # of these, what says that our own doing is meant
CHANGE_ADDRESS_IF_ASKED = lexicon.phrases("change_address_if_asked")
PLACE = lexicon.phrases("place") | lexicon.verbs("place")
# YAML would read the keys "yes" and "no" as truth values.
YES = lexicon.phrases("affirm")
NO = lexicon.phrases("deny")
HESITATION = lexicon.phrases("hesitation")
UNDECIDED = lexicon.phrases("undecided")  # both answers at once, or one that may be either
NEUTRAL = lexicon.phrases("neutral") | {(filler,) for filler in text.FILLERS}
IGNORABLE = lexicon.words("ignorable")
LEADS = lexicon.phrases("leads")  # what begins a sentence and says nothing: "actually", "ek kaam karo"
ENOUGH = lexicon.words("enough")  # before a command it says that nothing comes after it
CRYING_OUT, CRIED = lexicon.words("crying_out"), lexicon.words("cried")  # what begins an outcry, and what is cried
DENIALS = lexicon.words("denials")
DENYING_BEFORE_VERB = lexicon.words("denying_before_verb")  # "doodh na daalo" is a no, "daalo na" a please
DENYING_WHAT_FOLLOWS = lexicon.words("denying_what_follows")

# Answers that say more than yes or no: what agrees, disagrees, denies or doubts, and the small words around it.
AGREEING = lexicon.words("agreeing")
PRAISING = lexicon.words("praising")  # of those, what agrees only about something: "great" may as well thank
POINTING = lexicon.words("pointing")
DISAGREEING = lexicon.words("disagreeing")
NEGATING = lexicon.words("negating")
NEGATING_BEHIND = lexicon.words("negating_behind")  # of those, what denies also the word before it
DENYING = NEGATING | DENIALS
DOUBTING = lexicon.words("doubting")
SAYING_YES = frozenset(phrase[0] for phrase in YES if len(phrase) == 1) - AGREEING
SAYING_NO = frozenset(phrase[0] for phrase in NO if len(phrase) == 1) - DISAGREEING - NEGATING
ANSWERING = SAYING_YES | SAYING_NO | AGREEING | DISAGREEING | NEGATING | DOUBTING | lexicon.words("answering") | text.FILLERS
RELATIVE = lexicon.words("relative")
JOINING = lexicon.words("joining")  # what stands between an answer and its rider
CONTRASTING = lexicon.words("contrasting")  # of those, what ends a denial: "not home but the office"
PLACE_AROUND = lexicon.words("place_around") | text.FILLERS

# What comes near the phrase that spends. It is only answered: see CONFIRM_PHRASES for what it would have to be.
CONFIRM_VERB = lexicon.words("confirm_verb")
CONFIRM_OBJECT = lexicon.words("confirm_object")
CONFIRM_AROUND = SAYING_YES - CONFIRM_VERB | lexicon.words("confirm_around") | text.FILLERS

# Beginnings and ends of commands.
ADD = lexicon.phrases("add")
TAKE = lexicon.phrases("take")  # of what was read out
AND = lexicon.words("and")
ALSO = lexicon.words("also")
OPEN_ENDED = AND | lexicon.words("open_ended")  # at the end of a sentence: it broke off
ADD_OR_AND = ADD | {(word,) for word in ALSO}
AGAIN = lexicon.phrases("again")
REMOVE = lexicon.phrases("remove")
CHANGE = lexicon.phrases("change")
MAKE_IT = lexicon.phrases("make_it")
ONLY = lexicon.words("only")  # of those, what may as well begin a wish
ONLY_BEHIND = lexicon.words("only_behind")  # a number: "ek hi"
KEEP_ONLY, KEEPING, KEPT = lexicon.phrases("keep_only"), lexicon.phrases("keeping"), lexicon.phrases("kept")
LEFT = lexicon.phrases("left")  # "rehne do" may leave a thing out, or leave so many in
DELIVER = lexicon.phrases("deliver")
WRAPPERS = lexicon.phrases("wrappers")
SCRATCH = lexicon.phrases("scratch")
CORRECTION = SCRATCH | lexicon.phrases("correction")
RETHINKING = lexicon.phrases("rethinking")  # that another number follows, where it begins or ends the sentence
ADD_VERBS, REMOVE_VERBS, SET_VERBS = (lexicon.verbs(kind) for kind in ("add", "remove", "set"))
WISH = lexicon.words("wish")
NOT_VERB = lexicon.phrases("not_verb")
PUT = lexicon.phrases("put")
THE_LAST = lexicon.phrases("the_last")
SAME_BEFORE, SAME_AFTER = lexicon.phrases("same_before"), lexicon.phrases("same_after")
ASK_BEFORE, ASK_IS, ASK_AFTER = lexicon.phrases("ask_before"), lexicon.phrases("ask_is"), lexicon.phrases("ask_after")
PRICE_BEFORE, PRICE_AFTER = lexicon.phrases("price_before"), lexicon.phrases("price_after")
CART_PLACES = lexicon.cart_places()
# Questions about the cart.
CART_NAMED = lexicon.phrases("cart_named")
CART_PREPOSITIONS = lexicon.phrases("cart_prepositions")
CART_KNOWING = lexicon.phrases("cart_knowing")
CART_ASKING_POLITELY = lexicon.phrases("cart_asking_politely")
CART_SHOWING = lexicon.words("cart_showing")
CART_SHOWN = lexicon.words("cart_shown")
CART_ASKING = lexicon.words("cart_asking")
CART_WHICH = lexicon.words("cart_which")
CART_HOLDING = lexicon.words("cart_holding")
CART_IF = lexicon.words("cart_if")
CART_CHANGING = lexicon.words("cart_changing")

# Talk that comes to a command the long way round.
FOR_CART, REASONS, LACKING = lexicon.phrases("for_cart"), lexicon.phrases("reasons"), lexicon.phrases("lacking")
IT_ALL, LINKS, HAVE_DONE = lexicon.phrases("it_all"), lexicon.phrases("links"), lexicon.phrases("have_done")
ORDERING = lexicon.phrases("ordering")
ADDED, REMOVED = lexicon.phrases("added"), lexicon.phrases("removed")
THERE_YET = lexicon.words("there_yet")
LIST, LIST_KINDS, WHICH_LIST = lexicon.words("list"), lexicon.words("list_kinds"), lexicon.words("which_list")
CART_PLACES |= frozenset(
    text.tokens(f"{preposition} {which} list {of}")
    for preposition in ("to", "in", "on", "onto", "from", "off")
    for which in ("my", "the", "our")
    for of in ("for shopping", "of groceries", "of things to buy")
)
TAILS = CART_PLACES | lexicon.phrases("tails")
MAKE_TAILS = TAILS | lexicon.phrases("make_tail")
HEADS = lexicon.words("heads")

# What is one product, and what is none.
NAMES = lexicon.phrases("joined") | lexicon.phrases("numbered")
NUMBERED = lexicon.phrases("numbered")
GOODS, SPELLINGS = lexicon.called("goods"), lexicon.called("spellings")
KNOWN = lexicon.phrases("known") | set(GOODS) | set(GOODS.values())
ONLY_A_VERB = (ADD_VERBS | lexicon.stems("add") | lexicon.stems("place")) - KNOWN - GOODS.keys()  # "mangwa", "order kar"
TAKING_AWAY = lexicon.words("taking_away")
TAKING_OUT = lexicon.words("taking_out")  # the thing stands between it and "out"
UNNEEDED_BEFORE, UNNEEDED_BEHIND = lexicon.phrases("unneeded_before"), lexicon.phrases("unneeded_behind")
REPEATED = lexicon.words("repeated")  # numbers that are said twice to mean so many of each
MORE, FEWER = lexicon.words("more_word"), lexicon.words("fewer")  # behind a number: "one less milk"
BOTH, ALL_OF = lexicon.words("both"), lexicon.words("all_of")
ONE_MORE = lexicon.words("one_more")
RAISING, LOWERING, BY = lexicon.phrases("raising"), lexicon.phrases("lowering"), lexicon.words("raised_by")
OF_THEM = lexicon.phrases("of_them")
# One thing in the place of another.
REPLACE, REPLACED_WITH, REPLACE_VERBS = lexicon.phrases("replace"), lexicon.words("replaced_with"), lexicon.verbs("replace")
PUT_FOR, PUT_FOR_WHAT = lexicon.phrases("put_for"), lexicon.words("put_for_what")
INSTEAD, INSTEAD_OF = lexicon.phrases("instead"), lexicon.phrases("instead_of")
NOT_BEFORE, NOT_BEHIND, RATHER = lexicon.words("not_before"), lexicon.words("not_behind"), lexicon.words("rather")
REPLACED_OBJECT, REPLACED_BEHIND = lexicon.words("replaced_object"), lexicon.words("replaced_behind")
ANY_KIND = lexicon.phrases("any_kind")  # before a name: any of these will do
SERVED = lexicon.phrases("served")  # "two cups of", which nothing is sold by
NOT_SOLD, PREPOSITIONS = lexicon.words("not_sold"), lexicon.words("prepositions")  # people, places, times and services
CLOCK = lexicon.words("clock")
KITCHEN, KITCHEN_IN = lexicon.words("kitchen"), lexicon.words("kitchen_in")
TRAIT_NAMES = ("cheapest", "dearest", "largest", "smallest", "last", "middle")
ONE = lexicon.words("one_word")  # "the big one", "bada wala"
TRAITS: Mapping[str, frozenset[str]] = {trait: lexicon.words(trait) for trait in TRAIT_NAMES}
MOST = lexicon.words("most")
NUMBERING = lexicon.words("numbering")
NUMBERED_PLACES = lexicon.words("numbered_places")  # before a number they tell where somebody lives
PARTICLES = lexicon.words("particle")
ONE_THING, TWO_THINGS = lexicon.phrases("one_thing"), lexicon.phrases("two_things")
JOINING_TITLES = lexicon.words("joining_titles")
DESCRIBING = lexicon.words("describing") | {"one", "item"}  # of the list just read; alone they name no product
FUNCTION = lexicon.words("function") | lexicon.inflected("talk")
OFF_TOPIC = lexicon.words("off_topic")
SHOP_TALK = lexicon.words("shop_talk")  # of those, what may as well be said to a shop
NOT_A_WISH = lexicon.words("not_a_wish")
QUESTION = lexicon.words("question")
ASKING = lexicon.words("asking")  # of those, what asks wherever it stands
COUPON = lexicon.words("coupon")
LABEL_AROUND = lexicon.words("label_around") | AGREEING
# A word of a label as it is said in another language or script -> as people save it.
LABEL_SPELLINGS = {
    said[0]: saved for section in lexicon.sections("labels") for saved, spoken in section.items() for said in spoken
}
OURS = lexicon.words("ours")  # what we claim, ask and teach with; a title that has them is called a name
OPTION = lexicon.words("option")  # before the number of what was read out
AROUND_ORDINAL = lexicon.words("around_ordinal")

# Questions about an order that was placed. Such a sentence holds no other word, so another shop's order is never ours.
INQUIRY_ASKS = lexicon.phrases("inquiry_asks")
INQUIRY_BOUGHT = lexicon.phrases("inquiry_bought")
INQUIRY_THING = lexicon.words("inquiry_thing")
INQUIRY_SHOP = lexicon.words("inquiry_shop")
INQUIRY_WHERE = lexicon.words("inquiry_where")
INQUIRY_OPENER = lexicon.words("inquiry_opener")
INQUIRY_STATE = lexicon.words("inquiry_state")
INQUIRY_YOU, INQUIRY_PRESENCE = lexicon.words("inquiry_you"), lexicon.words("inquiry_presence")  # "are you there, ready"
INQUIRY_WHAT = lexicon.words("inquiry_what")
INQUIRY_ORDERED = lexicon.words("inquiry_ordered")
INQUIRY_WAS = lexicon.words("inquiry_was")
INQUIRY_PREVIOUS = lexicon.words("inquiry_previous")
INQUIRY = frozenset().union(
    *(INQUIRY_THING, INQUIRY_SHOP, INQUIRY_WHERE, INQUIRY_OPENER, INQUIRY_STATE, INQUIRY_WHAT, INQUIRY_ORDERED),
    *(INQUIRY_WAS, INQUIRY_PREVIOUS, lexicon.words("inquiry_around"), (word for phrase in INQUIRY_ASKS for word in phrase)),
)

# What is said in passing, and the small words around it.
ANYBODY_THERE = lexicon.phrases("anybody_there")
THANKING, AROUND_THANKS = lexicon.words("thanking"), lexicon.words("around_thanks")
DEAR, AROUND_DEAR = lexicon.words("dear"), lexicon.words("around_dear")
PAYING, AROUND_PAYING = lexicon.words("paying"), lexicon.words("around_paying")
HOW_MUCH, SUMMED, AROUND_SUMMED = (lexicon.words(name) for name in ("how_much", "summed", "around_summed"))

LONGEST_PHRASE = 7  # words; held by a test

# Numbers and units; what they are worth stands in sections of their own, see ``numbers`` and ``units``.
ARTICLES = lexicon.words("articles")
NUMBER_JOINS = lexicon.words("number_joins")
NUMBER_POINTS = lexicon.words("number_points")
NUMBER_DIVIDERS = lexicon.words("number_dividers")  # between two numbers; "one over three" is not three of anything
SMALL_PARTS = lexicon.words("small_parts")  # of one; nothing is sold by them
NUMBER_BEFORE_UNIT = lexicon.words("number_before_unit")  # a number only there; "saath" is as well "with"
HUNDRED_BETWEEN = lexicon.words("hundred_between")  # a hundred only between a number and a measure: "do so gram"
NUMBER_OR_VERB = lexicon.words("number_or_verb")  # "do" is two, and is give
AS_VERBS = {(word,) for word in NUMBER_OR_VERB}
NOT_COUNTED = FUNCTION | HEADS | ARTICLES | {said[0] for said in ADD | REMOVE | CHANGE}  # none of these begins a product
APPROXIMATING = lexicon.words("approximating")  # behind a number they make it a rough one
UNIT_OF = lexicon.words("unit_of")
SIZE_OF = lexicon.words("size_of")
UNIT_ALONE = lexicon.words("unit_alone")  # said without a number, they mean one
UNIT_OR_PRODUCT = lexicon.words("unit_or_product")  # "pav" is a quarter, and is a bun
OTHER_UNITS = lexicon.words("other_units")  # known as units, and not sold by
ORDINAL_ENDINGS = lexicon.words("ordinal_endings")
