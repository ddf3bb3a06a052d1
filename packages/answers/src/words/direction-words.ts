import { wordSet } from './fold.ts'
import type { Language } from './language.ts'

/** Words that say that something is or became more (1) or less (-1). */
const up = wordSet(
  `up rose rise rises rising risen increase increased increases increasing grew grow grows growing grown growth climbed climb climbs climbing
   jumped jump jumps jumping surged surge surges surging soared soar soars soaring gained gain gains gaining higher greater upward upwards uptick
   rebounded rebound spiked spike spikes rallied accelerated expanded outpaced outperformed exceeded exceeds exceed surpassed surpasses
   skyrocketed ballooned swelled larger bigger boosted advanced upswing uplift increment`,
  `stieg stiegen gestiegen steigen steigt steigend steigerung steigerte gesteigert erhöht erhöhte erhöhten erhöhung gewachsen wuchs wuchsen
   wächst wachsen wachstum zugenommen zunahme zugelegt zuwachs anstieg anstiegen höher höhere höherer höheren größer übertraf übertroffen kletterte`,
  `hausse augmenté augmentée augmente augmentent augmentation progressé progresse progression croissance grimpé grimpe bondi bond monté supérieur
   supérieure élevé élevée accru accrue`,
  `subió subieron subido subida aumento aumentó aumentaron aumentado creció crecieron crecido crecimiento incremento incrementó incrementaron
   superior mayor mayores alza superó`,
  `aumentato aumentata aumentati aumentate cresciuto cresciuta cresciuti crescita salito salita saliti salite superiore maggiore rialzo`,
  `aumentou aumentaram subiu subiram cresceu cresceram crescimento maior maiores superou`,
  `steeg stegen gestegen stijging toegenomen toename groei groeide groeiden gegroeid hoger hogere`,
)
const down = wordSet(
  `down fell fall falls falling fallen drop dropped drops dropping decline declined declines declining decrease decreased decreases decreasing
   sank sink sinks sinking sunk slid slide slides sliding slipped slip slips slumped slump slumps plunged plunge plunges plummeted plummet tumbled tumble
   dipped dip dips dipping lower fewer smaller reduced reduce reduces reduction shrank shrink shrinks shrinking shrunk weakened contracted eased
   slowed slowdown downturn downward downwards downtick trailed lagged dwindled waned cratered crashed collapsed nosedived diminished lessened`,
  `sank sanken gesunken sinken sinkt sinkend fiel fielen gefallen fällt rückgang rückgänge zurückgegangen abgenommen abnahme verringert
   verringerte verringerung reduziert reduzierte niedriger niedrigere geringer geringere gesenkt einbruch eingebrochen schrumpfte geschrumpft`,
  `baisse baissé baissée baissent diminué diminue diminution recul reculé recule chuté chute régressé inférieur inférieure réduit réduite`,
  `bajó bajaron bajado bajada cayó cayeron caído caída descendió descendieron descenso disminuyó disminuyeron disminución redujo redujeron
   reducción inferior menor menores`,
  `diminuito diminuita diminuiti diminuzione calo calato calata calati sceso scesa scesi ribasso ridotto ridotta riduzione inferiore minore`,
  `caiu caíram caído queda diminuiu diminuíram diminuição reduziu redução baixou baixaram`,
  `daalde daalden gedaald daling afgenomen afname lager lagere gekrompen verminderd`,
)
/** "More" and "less" claim something only in a comparison. */
const comparative = new Map<string, 1 | -1>([
  ['more', 1], ['less', -1], ['mehr', 1], ['weniger', -1], ['plus', 1], ['moins', -1], ['mas', 1], ['menos', -1], ['piu', 1], ['meno', -1], ['mais', 1], ['meer', 1], ['minder', -1],
])

const ordinary: Record<Language, ReadonlySet<string>> = {
  en: wordSet('mayor chute bond monte sale superior inferior superiore elevé subida queda calo alza recul advanced'),
  de: wordSet('bond'),
  fr: wordSet('drop grow'),
  es: wordSet(''),
  it: wordSet(''),
  pt: wordSet('superior inferior'),
  nl: wordSet('up down'),
}

/** 1 for up, -1 for down, undefined for all other words. */
export function directionOf(word: string, language: Language): 1 | -1 | undefined {
  if (ordinary[language].has(word)) return undefined
  return up.has(word) ? 1 : down.has(word) ? -1 : undefined
}

/** "More", "less" and their translations. */
export const comparativeOf = (word: string): 1 | -1 | undefined => comparative.get(word)

const arrows = new Map<string, 1 | -1>(Array.from('↑⬆▲△🔺📈↗⇧⬈↥⏫🔼⇑', (arrow) => [arrow, 1 as const]))
for (const arrow of '↓⬇▼▽🔻📉↘⇩⬊↧⏬🔽⇓') arrows.set(arrow, -1)
export const arrowOf = (mark: string): 1 | -1 | undefined => arrows.get(mark)

/** Before "up" and "down" these make another meaning: to set up, to break down. */
const phrasal = wordSet('set follow sign signed break broken drill build built made make makes look looked end ended ends start back come pick catch add adds added adding sum sums summed summing breaking speed show split narrow double wrap line write written count counted hands')
export const isPhrasal = (word: string): boolean => phrasal.has(word)

const relativeSizes = wordSet('smaller larger bigger higher lower greater')
/** "The smaller markets" are a group, not a claim. */
export const isRelativeSize = (word: string): boolean => relativeSizes.has(word)

const negations = wordSet('not no never without didn don doesn wasn weren isn aren hasn haven hadn couldn nicht kein keine keinen ne pas no non não nao niet geen sin sans ohne neither nor')
export const isNegation = (word: string): boolean => negations.has(word)

const changeWords = wordSet(
  `change changes changed changing difference differences differed differ gap delta variation move moved moves movement swing shift by veränderung verändert veränderte unterschied differenz um änderung
   änderte geändert changement variation évolution écart différence évolué cambio variación diferencia cambió variazione differenza cambiamento variou
   diferença variação mudança verandering verschil veranderde veranderd`,
)
/** Words that call a figure a change, without a direction. */
export const isChangeWord = (word: string): boolean => changeWords.has(word)
