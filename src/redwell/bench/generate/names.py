"""Names of companies, people and places, each borne by one only within a room. None is meant to be anybody's; mail goes to `.example`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """`email` is at the company's domain, or at that of another when `of` is not the target."""

    first: str
    last: str
    title: str
    email: str
    of: str = ""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


@dataclass(frozen=True, slots=True)
class Company:
    """`name` is the full legal name ("Kestrel Freight, Inc."), `short` what papers call it ("Kestrel Freight")."""

    name: str
    short: str
    law: str
    domain: str = ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_BEGIN = _words(
    "Ald Alm Arb Ash Bal Bar Bel Ben Ber Bir Bor Bran Bren Brid Bur Cal Car Cas Cor Cran Dal Dar Del Den Dor Dun East El Em Er Fal Far Fen Fern "
    "Gal Gar Glen Gran Hal Ham Har Haw Hel Hol Ing Kel Ken Kil Kin Lan Lar Lin Lor Lyn Mal Mar Mel Mer Mon Nor Oak Or Pem Pen Per Por Quin Rad "
    "Ram Ren Ros Sal Sel Sher Sil Stan Tal Tam Thor Tor Tre Val Var Ver Wal War Wes Whit Win Wyn Yar Zel"
)
_MIDDLE = ("", "", "", "a", "e", "i", "o", "en", "er", "in", "or", "an", "is")
_END_COMPANY = _words(
    "bright bury crest dale dara dex don dyne field ford gate grove ham haven hurst ion ix key land line lis lode lux mark mere mont nor ova pace "
    "pike point port quist rex ridge rock sen shaw sol stead sted ston tera thorpe ton tra trix via vale vance vex view ward wick wood worth"
)
_END_PERSON = _words(
    "berg bury by cott croft dahl den der dine don ell ett feld fold ford gren ham hart hurst ing ison kamp kin land ley lin low man mann mark mer more ner "
    "now rell rick row sen shaw son stead stein strom ter ton tree vik ward way well wick win wood worth"
)
_END_PLACE = _words(
    "borough bridge brook burg bury creek dale falls ferry field ford grove harbor haven mills mont point port ridge springs stead ton vale view ville wick"
)
_FIRST = _words(
    "Aaron Abigail Adele Adrian Agnes Alan Alicia Amara Amir Anders Andrea Anita Anton Arjun Astrid Beatriz Bernard Bianca Boris Brenda Bruno "
    "Camille Carla Carlos Cecilia Chandra Charlotte Chen Claire Clara Colin Conrad Corinne Dagmar Daniela Darius David Deepa Derek Diana Dominic Dora "
    "Edgar Edith Elena Elias Elise Emeka Emil Erica Esther Eugene Farah Felix Fernando Fiona Florence Frank Frieda Gavin Gemma Gerald Gloria Goran Grace "
    "Gregor Greta Hamid Hannah Harold Hector Helen Henrik Hugo Ibrahim Ida Imani Ines Ingrid Irene Isaac Ivan Jacob Jana Jasmine Joachim Joan Jonas Joyce "
    "Judith Julian Kamal Karin Katya Keiko Kenneth Kofi Lars Laura Leila Leon Lidia Lionel Louisa Lucas Lydia Magnus Maia Malcolm Marcel Margot Marta "
    "Matteo Maurice Maya Mei Michael Miriam Mohan Nadia Naomi Nathan Neha Nikolai Nina Noel Nora Olaf Olga Omar Oscar Paloma Patrick Paula Pavel Petra "
    "Philip Pilar Priya Rafael Raisa Rana Raymond Rebecca Renata Ricardo Robert Rosa Rupert Ruth Samir Sandra Sergio Shirin Sigrid Simone Sofia Stefan "
    "Sunil Susan Sven Tamara Teresa Thandi Theo Tobias Tomas Uma Ursula Valerie Vera Victor Vikram Walter Wanda Wei Wendell Xavier Yasmin Yusuf Zara Zoe"
)
_LAST = _words(
    "Abara Achterberg Adeyemi Aguilar Ahlberg Alvarado Amsel Anand Aoki Arnesen Baptiste Barros Bello Bianchi Brandt Cabral Calloway Castellano Chaudhry "
    "Cisneros Conti Czerny Dadson Deshmukh Diallo Dubois Ekström Escobar Fairweather Farouk Ferreira Fujita Galvez Ghorbani Grimaldi Guerrero Haddad "
    "Hakimi Hashimoto Hidalgo Hoang Horvath Ibarra Iyer Jankowski Jimenez Kapoor Karimi Kaur Kimura Kowalski Kruger Kumar Lacroix Laurent Lindqvist "
    "Lombardi Machado Mahoney Marchetti Mbeki Medina Menon Mikkelsen Molina Moreau Mwangi Nakamura Novak Nwosu Obi Ocampo Okafor Olsson Ortega "
    "Osei Pacheco Papadakis Park Pellegrini Petrov Pham Quintero Raman Rasmussen Reyes Rinaldi Romero Roussel Rowe Sandoval Santoro Sato Schreiber Serrano "
    "Shah Silveira Sokolov Solberg Sorensen Suarez Takahashi Tanaka Tesfaye Toussaint Tran Ueda Urbina Valdez Varga Vasquez Velasco Villanueva Vogel "
    "Volkov Weiss Wolff Yamada Yildiz Zafar Zamora Zielinski"
)
_STREETS = _words(
    "Alder Arsenal Bayview Beacon Birch Bridge Canal Cedar Chestnut Commerce Depot Dock Elm Factory Foundry Franklin Front Garden Grant Harbor Harrison Hickory "
    "Industrial Jackson Jefferson Juniper Lake Laurel Liberty Linden Locust Madison Magnolia Main Maple Market Mechanic Mill Monroe Mulberry Orchard Park Pearl "
    "Pine Poplar Prospect Quarry Railroad Research River Sycamore Technology Tower Union Walnut Warehouse Washington Water Willow"
)
_WAYS = ("Street", "Avenue", "Road", "Drive", "Boulevard", "Parkway", "Lane", "Way")
_STATES = (
    *_words(
        "Arizona California Colorado Connecticut Florida Georgia Illinois Indiana Iowa Kansas Kentucky Maryland Massachusetts Michigan Minnesota Missouri "
        "Nebraska Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Virginia Washington Wisconsin"
    ),
    "New Jersey",
    "New York",
    "North Carolina",
    "South Carolina",
)

_TRADES: dict[str, tuple[str, ...]] = {
    "software": ("Software", "Systems", "Cloud", "Data", "Analytics", "Labs"),
    "manufacturing": ("Manufacturing", "Industries", "Components", "Precision", "Fabrication", "Works"),
    "supply": ("Supply", "Materials", "Distribution", "Trading", "Wholesale"),
    "logistics": ("Freight", "Logistics", "Transport", "Shipping", "Carriers"),
    "health": ("Health", "Medical", "Care", "Clinics", "Therapeutics"),
    "energy": ("Energy", "Power", "Petroleum", "Utilities", "Gas"),
    "food": ("Foods", "Provisions", "Kitchens", "Beverage", "Grocers"),
    "retail": ("Stores", "Retail", "Outfitters", "Markets"),
    "construction": ("Construction", "Builders", "Engineering", "Contractors"),
    "chemicals": ("Chemical", "Coatings", "Polymers", "Resins"),
    "media": ("Media", "Broadcasting", "Studios", "Press"),
    "aerospace": ("Aerospace", "Aviation", "Avionics", "Defense"),
    "bank": ("Bank", "Trust Company", "Savings Bank", "Commercial Bank"),
    "fund": ("Capital Partners", "Equity Partners", "Growth Partners", "Ventures"),
    "insurer": ("Insurance Company", "Casualty Company", "Indemnity Company", "Assurance"),
    "law": ("Law Group", "Legal", "Counsel Group"),
    "consulting": ("Consulting", "Advisors", "Associates", "Partners Advisory"),
    "accounting": ("Accountancy", "Audit Group", "Certified Accountants"),
    "landlord": ("Properties", "Realty", "Land Holdings", "Estates"),
    "environmental": ("Environmental", "Geosciences", "Remediation"),
    "staffing": ("Staffing", "Workforce", "Talent"),
    "telecom": ("Telecom", "Networks", "Communications", "Wireless"),
    "university": ("University", "Institute of Technology", "Research Foundation"),
}
TRADES: tuple[str, ...] = tuple(_TRADES)
"""What a company may do; each gives the second half of its name."""

_ANY = tuple(trade for trade in TRADES if trade not in ("bank", "fund", "insurer", "law", "university", "accounting"))
_FORMS = {
    "bank": (", N.A.",),
    "fund": (", L.P.", ", LLC"),
    "insurer": ("",),
    "law": (" LLP",),
    "accounting": (" LLP",),
    "university": ("",),
}
_USUAL_FORMS = (", Inc.", ", Inc.", ", LLC", " Corporation", " Corp.", " Ltd.", " GmbH")
_LAWS = {" Ltd.": "England and Wales", " GmbH": "Germany"}
_US_LAWS = ("Delaware", "Delaware", "Delaware", "Nevada", "New York", "Ohio", "Texas", "California")
_TRIES = 400


def company(rng: random.Random, taken: set[str], trade: str = "") -> Company:
    """A company whose first word is no other's in the room, nor part of another's. `trade` is one of TRADES, or any of the usual ones."""
    kind = trade or _ANY[rng.randrange(len(_ANY))]
    if kind not in _TRADES:
        raise ValueError(f"{trade!r} is no trade; known are {', '.join(TRADES)}")
    first = _invented(rng, taken, _END_COMPANY, "company")
    second = _of(rng, _TRADES[kind])
    form = _of(rng, _FORMS.get(kind, _USUAL_FORMS))
    short = f"{first} {second}"
    return Company(short + form, short, _LAWS.get(form) or _of(rng, _US_LAWS), f"{_plain(short)}.example")


def person(rng: random.Random, taken: set[str], title: str, of: Company, *, outside: bool = False) -> Person:
    """A person whose full name nobody else bears, nor the last name while the room has not used them up."""
    first = _of(rng, _FIRST)
    last = _of(rng, _LAST)
    if rng.random() < 0.8 or f"person {last}" in taken:
        last = _invented(rng, taken, _END_PERSON, "person")
    taken.add(f"person {last}")
    while f"{first} {last}" in taken:
        first = _of(rng, _FIRST)
    taken.add(f"{first} {last}")
    return Person(first, last, title, f"{_plain(first)}.{_plain(last)}@{of.domain}", of.name if outside else "")


def place(rng: random.Random, taken: set[str]) -> tuple[str, str, str]:
    """(city, state, street); no other place of the room is in that city."""
    city = _invented(rng, taken, _END_PLACE, "place")
    return (
        city,
        _of(rng, _STATES),
        f"{rng.randrange(100, 9900)} {_of(rng, _STREETS)} {_of(rng, _WAYS)}",
    )


def _invented(rng: random.Random, taken: set[str], ends: Sequence[str], what: str) -> str:
    """A word made of parts that is not taken as a first word, a last name or a city, whichever it is for."""
    word = ""
    for turn in range(_TRIES):
        begin, end = _of(rng, _BEGIN), _of(rng, ends)
        middle = _of(rng, _MIDDLE if turn < 20 else _MIDDLE[3:])
        if begin[-1].lower() == (middle or end)[0] or (middle and middle[-1] == end[0]):
            continue
        word = begin + middle + end
        if word.lower() not in taken:
            break
    else:
        number = 2
        while f"{word.lower()}{number}" in taken:
            number += 1
        word = f"{word}{number}"
    taken.add(word.lower())
    taken.add(f"{what} {word}")
    return word


def _of(rng: random.Random, items: Sequence[str]) -> str:
    return items[rng.randrange(len(items))]


def _plain(text: str) -> str:
    """For an address: letters only, in lower case."""
    return "".join(letter for letter in text.lower().replace("ö", "o") if letter.isascii() and letter.isalnum())
