import { wordSet } from './fold.ts'
import type { Language } from './language.ts'

/** Words that say by themselves that there is nobody or nothing. */
const pronouns = wordSet(
  'nobody none noone never nothing niemand keiner keines keins nichts nie niemals rien jamais nadie ninguno ninguna nunca jamás nada',
  'nessuno nessuna niente nulla ninguém ninguem nenhum nenhuma niets nooit',
)
/** In other languages, "mai" is May, and "personne" is a person. */
const ofOneLanguage: Partial<Record<Language, ReadonlySet<string>>> = { it: wordSet('mai'), fr: wordSet('personne aucun aucune') }

export const isNonePronoun = (word: string, language: Language): boolean => pronouns.has(word) || (ofOneLanguage[language]?.has(word) ?? false)

const determiners = wordSet(
  'no kein keine keinen keinem keiner keinerlei aucun aucune ningún ninguna nessun nessuna nessuno nenhum nenhuma geen',
  'without ohne sans sin senza sem zonder',
)
/** Before what is counted, these say that there is none: "no orders", "without orders". */
export const isNoneDeterminer = (word: string): boolean => determiners.has(word)

const anyWords = wordSet('any irgendwelche alguno alguna')
/** After a negation: "did not bring any orders". */
export const isAnyWord = (word: string): boolean => anyWords.has(word)
