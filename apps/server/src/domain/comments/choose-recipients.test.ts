import { expect, test } from 'vitest'
import { chooseRecipients } from './choose-recipients.ts'

test('notifies people who are mentioned, and participants of a reply', () => {
  expect(chooseRecipients({ authorId: 'ann', mentioned: ['bob'], participants: ['eve'] })).toEqual([
    { userId: 'eve', kind: 'comment_reply' },
    { userId: 'bob', kind: 'comment_mention' },
  ])
})

test('notifies a participant who is mentioned once, of the mention', () => {
  expect(chooseRecipients({ authorId: 'ann', mentioned: ['bob'], participants: ['bob'] })).toEqual([
    { userId: 'bob', kind: 'comment_mention' },
  ])
})

test('never notifies the author, even of a mention', () => {
  expect(chooseRecipients({ authorId: 'ann', mentioned: ['ann'], participants: ['ann'] })).toEqual([])
})
