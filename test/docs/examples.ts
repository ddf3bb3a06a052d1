import type { Token } from 'markdown-it'
import { fenceInfo } from '@querypost/server/documentation'
import type { MarkdownFile } from './markdown-files.ts'

/** A code block that is marked to be run: ```` ```sh run ```` or ```` ```ts run ````. */
export interface Example {
  /** `docs/api.md:31` */
  place: string
  language: string
  code: string
  /** The documented response: the ```` ```json answer ```` block below it, or below the examples that follow it directly. */
  answer: string | undefined
}

export function examplesOf({ file, content }: Pick<MarkdownFile, 'file' | 'content'>): Example[] {
  return content.tokens.flatMap((token, index) => {
    if (!isRun(token)) return []
    const after = content.tokens.slice(index + 1).find((each) => !isRun(each))
    const answer = after && isFence(after, 'answer') ? after.content : undefined
    return [{ place: `${file}:${token.map![0] + 1}`, language: fenceInfo(token).language, code: token.content, answer }]
  })
}

/** Responses that belong to no example, and so would never be checked. */
export function strayAnswers({ file, content }: Pick<MarkdownFile, 'file' | 'content'>): string[] {
  return content.tokens
    .filter((token, index) => isFence(token, 'answer') && !isRun(content.tokens[index - 1]))
    .map((token) => `${file}:${token.map![0] + 1}`)
}

const isFence = (token: Token | undefined, flag: string) =>
  token?.type === 'fence' && fenceInfo(token).flags.includes(flag)
const isRun = (token: Token | undefined) => isFence(token, 'run')
