import { expect, test } from 'vitest'
import { describeComment, threadLink } from './describe-comment.ts'

const comment = { authorName: 'Ann', itemTitle: 'Revenue', text: '**Why** so low, @[user_b]?', names: new Map([['user_b', 'Bob *B*']]) }

test('says who wrote what and where, as plain text', () => {
  expect(describeComment({ ...comment, kind: 'comment_mention' })).toBe(
    'Ann mentioned you in a comment on “Revenue”: Why so low, @Bob *B*?',
  )
  expect(describeComment({ ...comment, kind: 'comment_reply' })).toMatch(/^Ann replied to a comment on “Revenue”: Why/)
})

test('shortens a long comment', () => {
  const message = describeComment({ ...comment, kind: 'comment_reply', text: 'x'.repeat(10_000) })
  expect(message).toMatch(/x…$/)
  expect(message.length).toBeLessThan(400)
})

test('links to the thread on the page of its query or board', () => {
  expect(threadLink({ kind: 'reference', shortId: 'abc' }, 'thread_1')).toBe('/q/abc#thread_1')
  expect(threadLink({ kind: 'board', shortId: 'abc' }, 'thread_1')).toBe('/b/abc#thread_1')
})
