import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A true answer, as a careful model would write it. */
export interface Summary {
  /** File and number, for messages. */
  name: string
  world: string
  question: string
  text: string
}

const folder = path.join(import.meta.dirname, 'true-summaries')

/** Each file has answers about one world, separated by `---`. A line `? …` sets the question of the answers after it. */
export function readSummaries(): Summary[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const world = file.replace(/(-.*)?\.md$/, '')
      let question = ''
      return readFileSync(path.join(folder, file), 'utf8')
        .split(/^---$/m)
        .map((part, at) => {
          const text = part.replace(/^\s*\? (.+)$/m, (_, asked: string) => {
            question = asked
            return ''
          })
          return { name: `${file}#${at + 1}`, world, question, text: text.trim() }
        })
    })
}
