import { wordSet } from './fold.ts'
import type { Language } from './language.ts'

/** Words that name a statistic. "Highest" and the like are also superlatives, which are not judged. */
const byKind = {
  avg: wordSet('average averages averaged averaging avg mean durchschnitt durchschnittlich durchschnittliche durchschnittlichen mittelwert moyenne moyennes moyen promedio gemiddeld gemiddelde'),
  median: wordSet('median medians médiane mediana mediaan medianwert'),
  max: wordSet('max maximum highest peak peaked best largest biggest most top record strongest maximal höchste höchsten höchster höchstwert größte größten stärkste stärksten spitze pic record élevé élevée maximale maximum meilleur meilleure máximo máxima mayor mejor massimo massima maggiore migliore maior melhor hoogste grootste beste latest'),
  min: wordSet('min minimum lowest smallest least worst fewest bottom weakest trough low minimal niedrigste niedrigsten kleinste kleinsten geringste schwächste tiefste minimale bas basse faible pire mínimo mínima menor peor minimo minima minore peggiore pior laagste slechtste earliest'),
}
/** In these languages, "media" is an average; in English it is not. */
const romance = wordSet('media medio média médio')

export type AggregateWord = keyof typeof byKind

export function isAggregateWord(word: string, kind: AggregateWord, language: Language): boolean {
  return byKind[kind].has(word) || (kind === 'avg' && (language === 'es' || language === 'it' || language === 'pt') && romance.has(word))
}
