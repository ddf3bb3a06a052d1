import { wordSet } from './fold.ts'
import type { Language } from './language.ts'

/**
 * Words that state a number, in all languages that are judged. A word counts in every language, except where it is an ordinary word of
 * the text's own: "due" is two in Italian.
 */
const words = wordSet(
  // English
  `zero nil nought two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
   twenty thirty forty fourty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions trillion
   trillions quadrillion quadrillions dozen dozens lakh lakhs crore crores half halves twice thrice double doubled doubles doubling triple
   tripled triples tripling treble trebled quadruple quadrupled quadruples quadrupling quintuple quintupled sextupled halve halved halves
   halving couple hundredfold thousandfold twos threes fours fives sixes sevens eights nines tens twenties thirties forties fifties sixties seventies eighties nineties thirds
   fourths fifths sixths sevenths eighths ninths tenths hundredth hundredths thousandth thousandths mn bn mln mld mrd mio tsd tn`,
  // German
  `null eins zwei zwo drei vier fünf fuenf zwoelf fuenfzig dreissig haelfte sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig
   hundert hunderte hunderten tausend tausende tausenden million millionen milliarde milliarden billion billionen dutzend dutzende hälfte
   halb halbe halben halber halbes drittel viertel fünftel sechstel achtel zehntel doppelt doppelte doppelten verdoppelt verdoppelte verdoppelten
   verdoppelung verdopplung verdreifacht verdreifachte vervierfacht vervierfachte verfünffacht verzehnfacht halbiert halbierte halbierung
   anderthalb anderthalbe anderthalbfache eineinhalb eineinhalbe dreieinhalb dreifach dreifache zweifach zweifache vierfach zehnfache`,
  // French
  `zéro deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente quarante cinquante soixante
   septante octante huitante nonante cent cents mille million millions milliard milliards billion billions douzaine dizaine vingtaine trentaine
   centaine centaines millier milliers moitié demi demie tiers doublé doublée doubla doublement triplé triplée quadruplé`,
  // Spanish
  `cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte
   veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta cuarenta cincuenta sesenta
   setenta ochenta noventa cien ciento cientos doscientos doscientas trescientos trescientas cuatrocientos cuatrocientas quinientos
   quinientas seiscientos seiscientas setecientos setecientas ochocientos ochocientas novecientos novecientas mil miles millar millares millón
   millones billón billones docena docenas decena decenas centenar centenares mitad tercio tercios duplicó duplicado duplicaron doble triplicó triplicado
   triplicaron triple`,
  // Italian
  `due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti
   trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille mila milione milioni miliardo miliardi bilione dozzina decina decine
   centinaio centinaia migliaio migliaia metà raddoppiato raddoppiata raddoppiati triplicato triplicata dimezzato dimezzata doppio triplo`,
  // Portuguese
  `dois duas três quatro sete oito dez onze doze treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove
   dezanove vinte trinta quarenta cinquenta sessenta oitenta noventa cem cento duzentos duzentas trezentos trezentas quatrocentos quatrocentas
   quinhentos quinhentas seiscentos setecentos oitocentos novecentos mil milhar milhares milhão milhões bilhão bilhões bilião biliões dúzia
   dúzias dezena dezenas centena centenas metade terço terços dobrou dobraram duplicou duplicaram triplicou dobro triplo`,
  // Dutch
  `nul twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig
   veertig vijftig zestig zeventig tachtig negentig honderd honderden duizend duizenden miljoen miljoenen miljard miljarden biljoen dozijn
   helft kwart verdubbeld verdubbelde verdubbelden verdubbeling verdrievoudigd verdrievoudigde gehalveerd halveerde anderhalf anderhalve
   driekwart tweemaal driemaal`,
)

/** Ordinary words of a language that are numbers in another. */
const ordinary: Record<Language, ReadonlySet<string>> = {
  en: wordSet('due once seize cent cents dos elf vent meta tiers null miles'),
  de: wordSet('sei null mila tre nove mille dos once miles'),
  fr: wordSet('dos mil once due sei'),
  es: wordSet('sei due'),
  it: wordSet('dos once null'),
  pt: wordSet('dos sei once due'),
  nl: wordSet('dos once due sei null mil'),
}

/** The parts that German, Dutch and Italian write together: `zweihundertvierzig`. The ones in the second list are no numbers by themselves. */
const compounds: { parts: string[]; joints: string[] }[] = [
  {
    parts: 'zwei drei vier funf fuenf sechs sieben acht neun zehn elf zwolf zwoelf zwanzig dreissig vierzig funfzig fuenfzig sechzig siebzig achtzig neunzig hundert tausend million millionen milliarde milliarden'.split(' '),
    joints: 'ein eine eins und sech sieb fach fache fachen mal facht fachte prozent prozentig einhalb halb'.split(' '),
  },
  {
    parts: 'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen miljard'.split(' '),
    joints: 'een en voudig voudige maal procent'.split(' '),
  },
  {
    parts: 'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille mila milione milioni miliardi'.split(' '),
    joints: 'uno un vent trent quarant cinquant sessant settant ottant novant cent'.split(' '),
  },
]

/** The longest number that is written together has fewer letters than this. */
const maxCompoundLength = 80

function isCompound(word: string): boolean {
  if (word.length < 7 || word.length > maxCompoundLength) return false
  return compounds.some(({ parts, joints }) => {
    // For each place: the most numbers that the letters before it can be split into; undefined if they can't.
    const counts: (number | undefined)[] = [0]
    for (let at = 0; at < word.length; at++) {
      const count = counts[at]
      if (count === undefined) continue
      for (const part of parts) if (word.startsWith(part, at)) counts[at + part.length] = Math.max(counts[at + part.length] ?? 0, count + 1)
      for (const joint of joints) if (word.startsWith(joint, at)) counts[at + joint.length] ??= count
    }
    return (counts[word.length] ?? 0) > 0
  })
}

const memory = new Map<string, boolean>()
const maxMemory = 20_000

/** Whether a folded word states a number. "One" depends on its neighbors and is not decided here. */
export function isNumberWord(word: string, language: Language): boolean {
  if (word.length < 2 || ordinary[language].has(word)) return false
  const known = memory.get(word)
  if (known !== undefined) return known
  const is = words.has(word) || isCompound(word) || /^\w{3,}(fold|fache?n?|voudige?)$/.test(word) && isMultiple(word)
  if (memory.size < maxMemory) memory.set(word, is)
  return is
}

function isMultiple(word: string): boolean {
  const stem = word.replace(/(fold|fache?n?|voudige?)$/, '').replace(/^ver/, '')
  return words.has(stem)
}

/** After "a", "one", "two" … or before "of", these are parts of a whole. */
const fractions = wordSet('third thirds quarter quarters fifth fifths sixth seventh eighth ninth tenth tiers quart terzo quinto tercera cuarta cuarto quarto derde kwart')
export const isFraction = (word: string): boolean => fractions.has(word)
