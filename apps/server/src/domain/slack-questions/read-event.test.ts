import { expect, test } from 'vitest'
import { questionText } from './question-text.ts'
import { readSlackEvent } from './read-event.ts'

const bot = { teamId: 'T1', botUserId: 'UBOT' }
const mention = { type: 'app_mention', user: 'U1', text: '<@UBOT> How many orders?', ts: '10.000100', channel: 'C1', event_ts: '10.000100' }
const direct = { type: 'message', channel_type: 'im', user: 'U1', text: 'How many orders?', ts: '10.000100', channel: 'D1' }
const envelope = (event: object, change: object = {}) => ({ type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event, ...change })
const read = (event: object, change: object = {}) => readSlackEvent(envelope(event, change), bot)

const asked = { eventId: 'Ev1', slackUserId: 'U1', threadTs: '10.000100', isShared: false, text: 'How many orders?' }

test('a mention and a direct message are questions', () => {
  expect(read(mention)).toEqual({ kind: 'question', question: { ...asked, conversation: 'C1' } })
  expect(read(direct)).toEqual({ kind: 'question', question: { ...asked, conversation: 'D1' } })
  expect(read({ ...direct, subtype: 'file_share' }).kind).toBe('question')
})

test('a reply in a thread belongs to the thread', () => {
  expect(read({ ...mention, thread_ts: '5.000100' })).toMatchObject({ question: { threadTs: '5.000100' } })
})

test('a conversation with people of another workspace is marked', () => {
  expect(read(mention, { is_ext_shared_channel: true })).toMatchObject({ question: { isShared: true } })
})

test('the check of the URL is answered with its challenge', () => {
  expect(readSlackEvent({ type: 'url_verification', token: 'x', challenge: 'abc' }, bot)).toEqual({ kind: 'url_check', challenge: 'abc' })
})

test('an event of another workspace is foreign', () => {
  expect(read(mention, { team_id: 'T2' })).toEqual({ kind: 'foreign' })
  expect(read(mention, { team_id: undefined })).toEqual({ kind: 'foreign' })
})

test.each<[string, object]>([
  ['a message of a bot', { ...direct, bot_id: 'B1' }],
  ['a message of a bot with a profile', { ...mention, bot_profile: {} }],
  ['its own message', { ...direct, user: 'UBOT' }],
  ['an edit', { ...direct, subtype: 'message_changed' }],
  ['a deletion', { ...direct, subtype: 'message_deleted' }],
  ['a message of a bot in the old form', { ...direct, subtype: 'bot_message' }],
  ['a mention that was added by an edit', { ...mention, edited: { user: 'U1', ts: '11.000100' } }],
  ['a message in a channel that does not mention it', { ...direct, channel_type: 'channel' }],
  ['another event', { ...mention, type: 'reaction_added' }],
  ['a message without an author', { ...mention, user: undefined }],
  ['ids that Slack never sends', { ...mention, channel: 'C1\0' }],
  ['a text that is no text', { ...mention, text: 5 }],
])('ignores %s', (_, event) => {
  expect(read(event)).toEqual({ kind: 'other' })
})

test.each([null, [], 'text', {}, { type: 'event_callback', team_id: 'T1' }, envelope(mention, { event_id: undefined })])('ignores %j', (body) => {
  expect(readSlackEvent(body, bot)).toEqual({ kind: 'other' })
})

test.each([
  ['<@UBOT> hi', 'hi'],
  ['hi <@UBOT|querypost>, how are you?', 'hi , how are you?'],
  ['How much did <@U2|ben> sell in <#C2|north>?', 'How much did @ben sell in #north?'],
  ['See <https://example.com/a|the list> and <https://example.com/b>', 'See the list and https://example.com/b'],
  ['Orders &gt; 5 &amp; &lt; 9, &amp;lt;', 'Orders > 5 & < 9, &lt;'],
  ['<!here> how\n  many \t orders?', '@here how\nmany orders?'],
  ['<@UBOT>', ''],
  ['a\0b \ud800', 'ab \ufffd'],
])('reads %j as %j', (text, shown) => {
  expect(questionText(text, bot)).toBe(shown)
})
