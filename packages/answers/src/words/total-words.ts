import { wordSet } from './fold.ts'

/** Words that say that a figure is about everything. */
const all = wordSet(
  `overall altogether all combined across whole entire together every worldwide globally insgesamt gesamten gesamte alle allen aller zusammen
   weltweit tous toutes ensemble todo todos todas conjunto tutti tutte complessivo complessivamente geheel samen wereldwijd`,
)
const totals = wordSet('total totals totaled totaling totalled sum grand gesamt gesamtsumme summe totale totaal totales somma soma suma somme')

export const isAllWord = (word: string): boolean => all.has(word)
/** Also "total", which may be the total of something that was named before. */
export const isTotalWord = (word: string): boolean => all.has(word) || totals.has(word)
