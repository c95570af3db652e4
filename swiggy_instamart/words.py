"""The word lists that ``hearing`` and ``wishes`` read by. Data only; a phrase stands here once.

Phrases of ``WHOLE`` are in gist form: without the words of ``IGNORABLE``. They match a whole turn, never a part of one.
"""

from __future__ import annotations

from collections.abc import Mapping

Tokens = tuple[str, ...]

# The published spellings of the one phrase that spends. Compared by text.is_phrase only, never through any list below.
CONFIRM_PHRASES: tuple[str, ...] = ("confirm order", "कन्फर्म ऑर्डर", "कन्फ़र्म ऑर्डर", "कंफर्म ऑर्डर")


def _phrases(said: str) -> frozenset[Tokens]:
    return frozenset(tuple(phrase.split()) for phrase in said.replace("\n", " ").split("|") if phrase.strip())


def _words(said: str) -> frozenset[str]:
    return frozenset(said.split())


IGNORABLE = _words("the my our now please just then")

STOP = _phrases(
    """stop | stopp | stop it | stop that | stop listening | stop talking | stop ordering | stop order | stop shopping
    | exit | quit | bas | bas karo | ruko | ruk jao | rukiye | band karo | band kar do | बस | बस करो | रुको
    | रुक जाओ | रुकिए | बंद करो | बंद कर दो | स्टॉप | be quiet | quiet | shut up | silence | goodbye | bye
    | good bye | bye bye"""
)

CANCEL = _phrases(
    """cancel | cancel order | cancel it | cancel that | cancel everything | cancel this order | cancel this
    | cancel all | never mind | nevermind | forget it | forget about it | abort | abort order | do not order
    | don't order | drop order | order cancel | cancel karo | cancel kar do | order cancel karo
    | order cancel kar do | rehne do | chhodo | कैंसल | कैंसिल | कैंसल करो | कैंसिल करो | कैंसल कर दो
    | ऑर्डर कैंसल करो | ऑर्डर कैंसिल करो | रद्द करो | रहने दो"""
)

HELP = _phrases(
    """help | help me | i need help | what can i say | what can i do | what do i say | what should i say
    | what are options | what can you do | how does this work | options | how do i do this | madad | madad karo
    | मदद | मदद करो | हेल्प | क्या बोल सकता हूँ"""
)

REPEAT = _phrases(
    """repeat | repeat that | repeat it | repeat this | say that again | say it again | say again | again | once more
    | one more time | pardon | pardon me | i beg your pardon | come again | what | what was that | what did you say
    | sorry what | i did not hear you | i didn't hear you | i didn't hear that | i didn't catch that
    | i did not catch that | can you repeat that | can you repeat | could you repeat that | could you say that again
    | can you say that again | phir se | phir se bolo | dobara | dobara bolo | फिर से | फिर से बोलो | दोबारा
    | दोबारा बोलो | रिपीट"""
)

YES = _phrases(
    """yes | yeah | yep | yup | yea | ya | yess | sure | sure thing | ok | okay | correct | right | that's right
    | thats right | that is right | that's correct | that is correct | of course | go ahead | absolutely
    | definitely | certainly | fine | that's fine | that is fine | sounds good | that sounds good | alright
    | all right | affirmative | indeed | exactly | perfect | yes it is | it is | do it | do that | use it | use that
    | use this | use that one | use this one | that one | that's one | that's it is | i agree | agree | i do
    | i will | please do | confirm | confirm it | confirm order | confirm this order | confirmed | i confirm
    | it's ok | it's okay | it's fine | haan | han | haanji | haan ji | ji haan | ji | theek hai | thik hai | हाँ
    | हां | जी | जी हाँ | जी हां | हाँ जी | हां जी | ठीक है"""
)

NO = _phrases(
    """no | nope | nah | noo | no way | not now | not yet | not really | not that | not this | not it | not that one
    | not this one | not ok | not okay | not right | not correct | don't | do not | dont | don't do it
    | don't do that | do not do that | negative | never | wrong | incorrect | that's wrong | thats wrong
    | that's not right | that is wrong | disagree | i disagree | of course not | absolutely not | definitely not
    | certainly not | i don't think so | i do not think so | no wait | i said no | it is not | it's not
    | no thank you | no thanks | nahi | nahin | nahi ji | ji nahi | na | mat karo | नहीं | नही | ना | जी नहीं
    | मत करो"""
)

HESITATION = _phrases(
    "wait | hold on | wait wait | one second | one minute | one moment | hang on | wait a minute | wait a second | ek minute"
)

COMPLETE = _phrases(
    """complete order | complete | complete it | complete this order | review | review order | review it | review cart
    | final review | read back order | read order back | read back | that's all | thats all | that is all
    | that's it | thats it | that is it | that'll be all | that will be all | that would be all | all done
    | i'm done | im done | i am done | done | we're done | we are done | i'm finished | i am finished | finished
    | finish | finish order | finish it | finalize order | finalise order | finalize | nothing else | nothing more
    | no more | nothing | no that's all | no thats all | no that's it | no that is all | no nothing else
    | no nothing | no i'm done | i don't want anything else | i do not want anything else | that's everything
    | that is everything | i'm ready to order | ready to order | i am ready to order"""
)

PLACE = _phrases(
    """place order | place it | place this order | place an order | checkout | check out | go to checkout
    | proceed to checkout | proceed | order it | buy it | order | buy | pay | pay for it | submit order | send order
    | make order | checkout order"""
)

SHOW_CART = _phrases(
    """show cart | show me cart | show basket | show me basket | show list | show me list | show order | show me order
    | show items | show me items | view cart | view basket | open cart | read cart | read me cart | read basket
    | list cart | list items | list cart items | see cart | check cart | cart | basket | what's in cart
    | whats in cart | what is in cart | what's in basket | whats in basket | what is in basket | what is on list
    | what's on list | what's in order | what is in order | what have i got | what do i have | what have i ordered
    | what have i added | what did i add | what did i order | what do i have in cart | what have i got in cart
    | what do we have | what have we got | what do we have so far | what do i have so far | what have i got so far
    | what's total | what is total | total | cart total | what's cart total | how much is it | how much is that
    | how much is total | how much is cart | how much does it cost"""
)

KEEP = _phrases(
    """keep | keep it | keep cart | keep them | keep these | keep those | keep everything | keep all | keep that
    | keep items | keep basket | keep old cart | keep it as it is | leave cart | keep all of it | keep all of them
    | keep this cart | keep existing cart"""
)

CLEAR = _phrases(
    """clear | clear it | clear cart | clear basket | clear everything | clear all | clear them | clear this cart
    | clear that | clear old cart | empty it | empty cart | empty basket | start over | start fresh | start again
    | start new | remove everything | remove all | remove all items | delete everything | delete all | discard
    | discard it | discard cart | remove all of them | delete cart | clear existing cart"""
)

CHANGE_ADDRESS = _phrases(
    """change address | change delivery address | another address | different address | other address
    | a different address | use another address | use a different address | use different address
    | use other address | switch address | deliver somewhere else | somewhere else | other one | change it
    | wrong address | not that address | not this address | edit address | change location | choose another address
    | select another address | pick another address | deliver to another address | deliver to a different address
    | new address"""
)

RESEND = _phrases(
    """resend | resend payment link | resend link | resend it | send link again | send payment link again
    | send me link again | send link | send me link | send payment link | send me payment link | send it again
    | send me payment link again | payment link | link again | resend me link | resend me payment link
    | i didn't get link | i did not get link | i didn't get payment link"""
)

SKIP = _phrases(
    """skip | skip it | skip this | skip that | skip this one | skip that one | skip item | skip this item | next
    | next one | next item | none | none of these | none of those | none of them | none of above | neither
    | leave it | leave that | move on | not these | not any of them"""
)

WHOLE: tuple[tuple[str, frozenset[Tokens]], ...] = (
    ("complete", COMPLETE),
    ("show_cart", SHOW_CART),
    ("clear", CLEAR),
    ("keep", KEEP),
    ("change_address", CHANGE_ADDRESS),
    ("resend", RESEND),
    ("skip", SKIP),
)
UNIVERSAL: tuple[tuple[str, frozenset[Tokens]], ...] = (("stop", STOP), ("cancel", CANCEL), ("help", HELP), ("repeat", REPEAT))

# Said around a yes or a no without changing it.
NEUTRAL = _phrases(
    "please | thank you | thanks | thank you so much | um | umm | uh | uhh | oh | ah | so | well | hey | hi | then | and | sir | yaar | bhai"
)
DENIALS = _words("no nope nah not don't dont never nahi nahin नहीं नही मत")

DENYING_WHAT_FOLLOWS = _words("not don't dont never mat नहीं मत")

DELIVER = _phrases(
    """deliver to | deliver it to | deliver this to | send it to | send to | ship to | ship it to | change address to
    | change the address to | change delivery address to | change the delivery address to | deliver order to
    | deliver the order to"""
)

ADD = _phrases(
    """add | also add | and add | add in | i want | i need | i'd like | i would like | i'll have | i will have
    | i'll take | i will take | we need | we want | get | get me | get us | give me | give us | buy | buy me | order
    | order me | bring | bring me | put | include | include also | fetch | let me have | let's get | let's have
    | can i get | can i have | can we get | can we have | could i get | could i have | may i have | could we have
    | can you get me | search | search for | find | find me | look for | i want to add | i want to buy
    | i want to order | i want to get | i would like to add | i would like to order | i'd like to add
    | i'd like to order | i need to buy | i need to order | i need to get | purchase"""
)
AGAIN = _phrases(
    "add | also add | i want | i need | i'd like | get me | give me | then add | i also want | i also need"
)  # inside a turn

REMOVE = _phrases(
    "remove | delete | take out | take off | take away | drop | get rid of | cancel | i don't want | i do not want | i don't need | discard"
)
CHANGE = _phrases("change | set | update | make | increase | decrease | reduce | raise | lower | modify")
MAKE_IT = _phrases(
    """make it | make that | make them | make this | change it to | change that to | change this to | set it to
    | i want only | only | just | change quantity to | set quantity to | make quantity | update quantity to
    | change it into | make those | increase it to | reduce it to"""
)
MAKE_TAIL = _phrases(
    "of those | of them | of that | of these | of it | instead | packets | packet | packs | pack | pieces | piece | only | pcs | nos"
)

WRAPPERS = tuple(
    sorted(
        _phrases(
            """i want to | i need to | i would like to | i'd like to | i wanna | can you | could you | would you | will you
    | can we | let's | let us | can i | could i | may i | i think i'll | i think | i said | i mean | go ahead and
    | you can | now | just | then | and | but | also"""
        ),
        key=len,
        reverse=True,
    )
)
SCRATCH = _phrases("scratch that | no scratch that | strike that | correction")

CART_PLACES = _phrases(
    " | ".join(
        f"{prep} {which}{kind}{place}"
        for prep in ("to", "in", "into", "from", "on", "onto", "off", "out of", "of")
        for which in ("", "the ", "my ", "our ", "this ")
        for kind in ("", "shopping ", "grocery ", "groceries ", "swiggy ")
        for place in ("cart", "basket", "list", "order", "bag")
    )
)
TAILS = CART_PLACES | _phrases(
    "please | thank you | thanks | thank you so much | for me | for us | as well | also | too | now | instead | right now | today | more"
)
HEADS = _words("some any the of me more also please few additional extra and")

# One product although there is an "and" in it, and products whose name begins with a number.
JOINED = _phrases(
    """mac and cheese | macaroni and cheese | salt and pepper | salt and vinegar | sweet and sour | sweet and salty
    | sweet and spicy | cookies and cream | cream and onion | sour cream and onion | cream and herbs | fruit and nut
    | fruit and nuts | nut and raisin | lemon and honey | honey and lemon | ginger and garlic paste
    | ginger and honey | head and shoulders | johnson and johnson | hide and seek | black and white
    | black and decker | half and half | lemon and ginger | honey and oats | oats and honey | lime and soda
    | mint and lime | rum and raisin | cheese and onion | cheese and herbs | chilli and lime | tomato and basil
    | aloe and cucumber | fair and lovely | glow and lovely | spice and herbs | strawberry and cream
    | almond and honey | fish and chips | bread and butter pudding | procter and gamble | hot and sour
    | hot and sweet | tip and top | milk and cookies biscuits | wash and fold | him and her
    | salt and sugar biscuits"""
)
NUMBERED = _phrases(
    """seven up | 7 up | five star | 5 star | two minute noodles | 2 minute noodles | two minute | 2 minute
    | fifty fifty | 50 50 | three in one | 3 in 1 | two in one | 2 in 1 | twenty twenty | 20 20 | hundred percent
    | one hundred percent | 100 percent | four in one | 4 in 1 | three roses | 3 roses | five alive | seven seas
    | one touch"""
)

# A wish never holds these: they make a sentence about something else.
FUNCTION = _words("""you your yours i i'm i've i'll me my mine he she they them him her his their we us our is are am was were be been being do does did done
    have has had this that these those there here it its it's what who whom where when why how which whose if because while until or not
    don't doesn't didn't isn't won't can't never would could should will shall may might must about at by confirm complete checkout cancel stop
    yes yeah no okay ok please to too""")
# Words of other households' talk: an "add" or "set" with one of these is not about groceries.
OFF_TOPIC = _words("""alarm alarms timer timers reminder reminders remind volume brightness temperature thermostat light lights lamp fan ac tv television music song
    songs playlist podcast radio news weather forecast joke story taxi cab uber ola flight flights train hotel hotels restaurant restaurants
    movie movies ticket tickets directions route traffic call phone message messages text email emails mail meeting meetings calendar schedule
    appointment event events door doors lock garage bank account balance transaction transactions insurance payment bill bills visa passport
    mummy mom dad papa takeaway takeout delivery spotify youtube netflix video game todo task tasks contact contacts
    swiggy instamart reservation booking room rooms""")
# A bare turn that begins so is no wish, even where bare wishes are taken.
NOT_A_WISH = _words("""call play pause turn switch tell ask open close lock unlock remind wake start stop go come see look watch read write send show
    check make set change create delete remove cancel clear keep use deliver confirm complete review place pay mute increase decrease
    dim say talk speak think know let hey hello hi good thank thanks sorry wait hold maybe perhaps sure nothing something anything
    everything whatever happy nice great wow really very done finished next skip again repeat help option number item first second third
    mhm uh-huh uhuh huh hmm only just dont undo same another other one ones none neither""")
QUESTION = _words("""what what's whats who who's whom whose where where's when when's why how how's which is are am was were do does did has have had can
    could would will should shall may might kya kab kaun kahan""")

LABEL_AROUND = _words("""use deliver to at my the address please it send instead choose select pick go with ok okay yes yeah no one is for delivery in change
    i want that this try make order home's let's deliver's""")

NUMBER_EXPECTED: Mapping[str, int] = {"to": 2, "too": 2, "for": 4, "won": 1, "ate": 8}
NUMBER_WORDS_HI: Mapping[str, int] = {
    "ek": 1, "do": 2, "teen": 3, "char": 4, "chaar": 4, "paanch": 5, "panch": 5, "chhe": 6, "saat": 7, "aath": 8, "nau": 9, "das": 10,
    "एक": 1, "दो": 2, "तीन": 3, "चार": 4, "पांच": 5, "पाँच": 5, "छह": 6, "सात": 7, "आठ": 8, "नौ": 9, "दस": 10,
}  # fmt: skip
