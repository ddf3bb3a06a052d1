import { fold } from './fold.ts'

/** What a unit sign or word stands for. `factor` multiplies the number before it. */
export type UnitMeaning = '%' | 'points' | 'times' | '€' | '$' | '£' | '¥' | 'CHF' | 'factor' | 'other'

const meanings: [UnitMeaning, string][] = [
  ['%', '% ％ percent pct prozent procent'],
  ['points', 'points point pp ppt ppts prozentpunkte prozentpunkten procentpunten punti puntos pontos percentagepoint'],
  ['times', 'times x × mal fois veces volte vezes keer'],
  ['€', '€ eur euro euros'],
  ['$', '$ usd dollar dollars dólares dollari dólar us$'],
  ['£', '£ gbp pound pounds sterling'],
  ['¥', '¥ ￥ jpy yen cny rmb yuan'],
  ['CHF', 'chf francs franken'],
  ['factor', 'k m b bn mn mm mln mld mrd mio tsd tn million millions billion billions trillion trillions thousand thousands hundred hundreds dozen dozens ‰ permille promille promill bps bp grand lakh crore'],
  ['other', '¢ ₹ ₽ ₩ ₿ ₺ ₴ ₫ ₪ ₱ ฿ ° °c ℃ ℉ sek nok dkk pln czk huf inr rub krw brl mxn aud cad nzd sgd hkd cents cent pence kg km ms'],
]
const byWord = new Map(meanings.flatMap(([meaning, list]) => list.split(' ').map((word) => [fold(word), meaning] as const)))

/** The meaning of a folded word or a sign right beside a number. */
export const unitMeaningOf = (word: string): UnitMeaning | undefined => byWord.get(word)

/** Signs of currencies, which are claims wherever they are. Codes and names are ordinary words in many texts. */
export const isCurrencySign = (sign: string): boolean => /^\p{Sc}$/u.test(sign)

/** Two words that read "percent". */
export function isPercentPair(first: string, second: string): boolean {
  return pairs.has(`${first} ${second}`)
}
const pairs = new Set(['per cent', 'pour cent', 'por ciento', 'per cento', 'por cento', 'per hundred', 'percentage points', 'percentage point', 'basis points', 'basis point'])
