import { fold } from './fold.ts'

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl'

/** A few words that are frequent in one language and rare in the others. */
const marks: Record<Language, string> = {
  en: 'the and of was were is are in to with from by for than it this that which had has have at on as not an be been their its all',
  de: 'der die das und war waren ist sind im mit von bei für als es dies diese den dem des ein eine nicht auf zum zur wurde wurden sich auch',
  fr: 'le la les et était étaient est sont dans avec du des pour que une un sur par au aux ce cette ont été en plus a',
  es: 'el la los las y fue fueron es son en con del por para que una un su al se más como lo este esta hubo',
  it: 'il lo la gli i e è sono era erano nel nella con del della dei delle per che una un al alla di da ha hanno stato stata',
  pt: 'o os as e foi foram é são em no na com do da dos das por para que uma um ao mais se não este esta houve',
  nl: 'de het een en was waren is zijn in met van bij voor dan dit deze dat op niet naar door werd werden er ook',
}

/** One word that is in a single language, or two that several share. */
const fewestPoints = 0.9

const languages = Object.keys(marks) as Language[]
const languagesOf = new Map<string, Language[]>()
for (const language of languages) {
  for (const word of new Set(marks[language].split(' ').map(fold))) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language])
}

/** The language of a text by its frequent words; undefined if there are too few of them. */
export function languageOf(words: Iterable<string>): Language | undefined {
  const score = new Map<Language, number>()
  for (const word of words) {
    const those = languagesOf.get(word)
    // A word that several languages share says less.
    if (those) for (const language of those) score.set(language, (score.get(language) ?? 0) + 1 / those.length)
  }
  let best: Language | undefined
  let most = fewestPoints
  for (const [language, points] of score) if (points > most) [best, most] = [language, points]
  return best
}
