import type { ItemKind } from '../../model/item.ts'
import { plainText } from '../plain-text.ts'
import { shortened } from '../shortened.ts'
import type { Recipient } from './choose-recipients.ts'
import { withNames } from './mentions.ts'

const excerptCharacters = 300

/** The text of a notification: who wrote what, and where. */
export function describeComment(options: {
  kind: Recipient['kind']
  authorName: string
  itemTitle: string
  text: string
  names: ReadonlyMap<string, string>
}): string {
  const { kind, authorName, itemTitle } = options
  const did = kind === 'comment_mention' ? 'mentioned you in a comment' : 'replied to a comment'
  const excerpt = shortened(withNames(plainText(options.text), options.names).trim(), excerptCharacters)
  return `${authorName} ${did} on “${itemTitle}”: ${excerpt}`
}

/** The page of the item, with the thread open. */
export const threadLink = (item: { kind: ItemKind; shortId: string }, threadId: string): string =>
  `/${item.kind === 'board' ? 'b' : 'q'}/${item.shortId}#${threadId}`
