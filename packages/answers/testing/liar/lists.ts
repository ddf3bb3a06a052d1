/**
 * What the liar knows. Nothing here is taken from the judge's lists, so that a word missing there is found: when the judge misses one of
 * these, the judge has to learn.
 */
export const numbersInWords: Record<string, string[]> = {
  en: [
    'twelve', 'forty-two', 'nine hundred', 'a dozen', 'two dozen', 'half a million', 'three quarters', 'one hundred and five', 'seventeen thousand',
    'a hundred', 'eight point five', 'nineteen', 'a third', 'two thirds', 'a fifth', 'one in ten', 'threefold', 'ten times', 'twofold', 'a couple of hundred',
    'sixty percent', 'zero', 'several thousand', 'a quarter of a million', 'one million', 'eleven', 'Twenty', 'FIFTY', 'thirteen', 'twice as many', 'a billion',
  ],
  de: [
    'zwölf', 'zweiundvierzig', 'dreihundert', 'ein Dutzend', 'eine halbe Million', 'zwanzigtausend', 'fünfzehn Prozent', 'ein Drittel', 'drei Viertel', 'achtundneunzig',
    'eintausendzweihundert', 'anderthalb', 'zwei Millionen', 'hunderttausend', 'die Hälfte', 'siebzehn', 'doppelt so viel', 'dreimal so viel', 'eineinhalb', 'sechshundertelf',
  ],
  fr: [
    'douze', 'quarante-deux', 'trois cents', 'une douzaine', 'un demi-million', 'vingt mille', 'quinze pour cent', 'un tiers', 'quatre-vingt-dix-huit', 'deux millions',
    'une centaine', 'la moitié', 'dix-sept', 'soixante-dix', 'mille deux cents', 'trois fois plus', 'un quart', 'cinq milliards', 'une vingtaine',
  ],
  es: [
    'doce', 'cuarenta y dos', 'trescientos', 'una docena', 'medio millón', 'veinte mil', 'quince por ciento', 'un tercio', 'noventa y ocho', 'dos millones', 'la mitad',
    'diecisiete', 'setenta', 'mil doscientos', 'el triple', 'un cuarto', 'veintisiete', 'quinientas', 'un centenar', 'ochocientos',
  ],
  it: [
    'dodici', 'quarantadue', 'trecento', 'una dozzina', 'mezzo milione', 'ventimila', 'quindici per cento', 'un terzo', 'novantotto', 'due milioni', 'la metà',
    'diciassette', 'settanta', 'milleduecento', 'il triplo', 'un quarto', 'duecentomila', 'un centinaio', 'ottocento',
  ],
  pt: [
    'doze', 'quarenta e dois', 'trezentos', 'uma dúzia', 'meio milhão', 'vinte mil', 'quinze por cento', 'um terço', 'noventa e oito', 'dois milhões', 'a metade',
    'dezessete', 'setenta', 'mil e duzentos', 'o triplo', 'um quarto', 'quinhentas', 'uma centena', 'oitocentos',
  ],
  nl: [
    'twaalf', 'tweeënveertig', 'driehonderd', 'een dozijn', 'een half miljoen', 'twintigduizend', 'vijftien procent', 'een derde', 'achtennegentig', 'twee miljoen', 'de helft',
    'zeventien', 'zeventig', 'twaalfhonderd', 'anderhalf miljoen', 'een kwart', 'vijfhonderd', 'driekwart', 'tweemaal zoveel',
  ],
}

/** Sentences to put a number into, in the language of the words. */
export const sentences: Record<string, string[]> = {
  en: ['Revenue was # in total.', 'There were # orders.', 'About # customers came back.', 'That makes # of everything.', 'We sold # pieces.', 'It reached # in the end.', '# people bought something.', 'The total came to #.'],
  de: ['Der Umsatz betrug # im Ganzen.', 'Es gab # Bestellungen.', 'Das sind # der Kunden.', 'Wir haben # Stück verkauft.'],
  fr: ['Le chiffre d’affaires était de # au total.', 'Il y a eu # commandes.', 'Cela fait # des clients.'],
  es: ['Los ingresos fueron # en total.', 'Hubo # pedidos.', 'Son # de los clientes.'],
  it: ['I ricavi sono stati # in tutto.', 'Ci sono stati # ordini.', 'Sono # dei clienti.'],
  pt: ['A receita foi de # ao todo.', 'Houve # pedidos.', 'São # dos clientes.'],
  nl: ['De omzet was # in totaal.', 'Er waren # bestellingen.', 'Dat is # van de klanten.'],
}

/** Digits of other scripts, from zero to nine. */
export const scripts = [
  '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '০১২৩৪৫৬৭৮৯', '๐๑๒๓๔๕๖๗๘๙', '௦௧௨௩௪௫௬௭௮௯', '០១២៣៤៥៦៧៨៩', '０１２３４５６７８９', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗', '𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡', '⁰¹²³⁴⁵⁶⁷⁸⁹', '₀₁₂₃₄₅₆₇₈₉',
  '⓪①②③④⑤⑥⑦⑧⑨', '〇一二三四五六七八九', '零壹貳參肆伍陸柒捌玖', '🄀⒈⒉⒊⒋⒌⒍⒎⒏⒐', '〇〡〢〣〤〥〦〧〨〩',
].map((digits) => Array.from(digits))

export const oddNumbers = ['½', '¾', 'Ⅻ', 'ⅩⅡ', '⅔', '十二万', '三百', '五千億', '壱万', '㊿', '💯', '🔟', '1️⃣2️⃣', '五十', '两千', '百万', '1e6', '0x2F', '3½', '12:30', '7/8', '1.000.000', "1'000", '4 711', '12–15', '10⁶', '²⁄₃', 'XLII percent', 'XII', 'MCMXC', 'xvii', '99.9', '.5', '5.', '#12', 'No. 12', 'MMXX percent']

/** Words after a figure that make it another quantity. */
export const wrongUnits = ['%', ' %', ' percent', ' million', 'k', 'M', ' billion euros', ' thousand', ' bn', ' per cent', '‰', ' kilograms', ' hours', ' employees', ' tons', ' percentage points', ' dozen', ' Prozent', ' Millionen', ' pour cent', ' mil', ' Tsd.', ' lakh', '°', ' bps', ' countries visited', ' dollars', ' widgets']

export const wrongPrefixes = ['−', '-', '–', 'minus ', 'negative ', '$', '£', 'USD ', 'more than ', 'over ', 'at least ', 'less than ', 'under ', 'up to ', 'nearly ', 'almost ', 'below ', 'above ', 'twice ', 'half of ', 'double ', '>', '<', '≥', '± ', '10 × ', 'not ', 'fewer than ', 'in excess of ', 'no more than ', 'mehr als ', 'plus de ', 'más de ', 'più di ', 'mais de ', 'meer dan ', '1', '0.', '1,', 'three times ', 'north of ', 'well over ', 'just under ', 'short of ', '1/']

export const wrongSuffixes = ['0', '000', ',000', '.5', '+', ' or more', ' or less', '-fold', ' times as much', '^2', '×', ' squared times two', '/2', 'e6', '5', '.000', ' plus', '’000', ' and a half']

export const risingClaims = ['soared', 'rose sharply', 'went up', 'increased', 'grew', 'climbed', 'surged', 'jumped', 'rallied', 'skyrocketed', 'was higher than before', 'gained', '↑', '📈', 'ist gestiegen', 'a augmenté', 'aumentó', 'è aumentato', 'aumentou', 'is gestegen', 'doubled', 'tripled', 'expanded']
export const fallingClaims = ['plunged', 'fell', 'declined', 'went down', 'dropped', 'decreased', 'sank', 'tumbled', 'collapsed', 'shrank', 'was lower than before', '↓', '📉', 'ist gesunken', 'a baissé', 'bajó', 'è diminuito', 'caiu', 'is gedaald', 'halved', 'slumped']

export const wrongPeriods = ['in March 2019', 'in April', 'on June 3, 2018', 'in Q2 2017', 'in 2016', 'on Wednesday', 'last year', 'yesterday', 'in week 7', 'on 2019-05-05', 'on 05.05.2019', 'in the second quarter of 2018', 'im April 2019', 'en avril 2018', 'en abril de 2019', 'ad aprile 2018', 'em abril de 2018', 'in april 2018', 'last month', 'in H1 2018', 'on 4 July', 'in Feb.', 'since 2014', 'on Monday']

/** For results that are generated. */
export const places = ['Lisbon', 'Osaka', 'Lagos', 'Quito', 'Oslo', 'Perth', 'Hanoi', 'Accra', 'Lima', 'Turin', 'Cork', 'Ghent', 'Bergen', 'Split', 'Kyoto', 'Porto']
export const measures = ['revenue', 'orders', 'shipments', 'refunds', 'visits', 'tickets', 'margin_eur', 'weight_kg', 'downloads', 'profit_usd', 'stock', 'complaints']
export const keys = ['city', 'store', 'warehouse', 'branch', 'location']

/** Sentences that say that there is none, with the words that say it. `#` is a place, `@` a measure. */
export const noneClaims: [sentence: string, words: string][] = [
  ['Nobody in # bought anything.', 'Nobody'],
  ['No one came to #.', 'No one'],
  ['In #, none of them were left.', 'none'],
  ['Not a single one was in #.', 'Not a single'],
  ['People in # never came back.', 'never'],
  ['There were no @ in #.', 'no @'],
  ['# ended the year without @.', 'without @'],
  ['# did not have any @.', 'any @'],
  ['# had zero @.', 'zero'],
  ['Nothing was sold in #.', 'Nothing'],
  ['In # hat niemand etwas gekauft.', 'niemand'],
  ['In # wurde nichts verkauft.', 'nichts'],
  ['Personne n’est venu à #.', 'Personne'],
  ['Rien ne s’est vendu à #.', 'Rien'],
  ['Nadie compró en #.', 'Nadie'],
  ['Nessuno ha comprato a #.', 'Nessuno'],
  ['Ninguém comprou em #.', 'Ninguém'],
  ['In # heeft niemand iets gekocht.', 'niemand'],
]
