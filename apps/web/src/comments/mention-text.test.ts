import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeMention, labelsOf, matchPeople, toEditable, toShown, toStored, typedMention } from './mention-text.ts'

const ann = { id: 'user_a', name: 'Ann', email: 'ann@x.test' }
const annLee = { id: 'user_l', name: 'Ann Lee', email: 'lee@x.test' }
const zoe = { id: 'user_z', name: 'Zoë', email: 'zoe@x.test' }
const labels = labelsOf([ann, annLee, zoe])

test('people with the same name are told apart by their e-mail address', () => {
  const other = { id: 'user_b', name: 'Ann', email: 'ann@y.test' }
  const former = { id: 'user_f', name: 'Ann' }
  expect([...labelsOf([ann, other, former, zoe]).values()]).toEqual(['Ann (ann@x.test)', 'Ann (ann@y.test)', 'Ann (left)', 'Zoë'])
})

describe('a text to store', () => {
  test.each([
    ['@Ann', '@[user_a]'],
    ['Hi @Ann Lee, @Ann: see @Zoë.', 'Hi @[user_l], @[user_a]: see @[user_z].'],
    ['(@Ann)\n@Ann', '(@[user_a])\n@[user_a]'],
    ['@Anna, @ann, mail@Ann, @@Ann', '@Anna, @ann, mail@Ann, @@[user_a]'],
    ['@ and @', '@ and @'],
  ])('%j becomes %j', (text, stored) => {
    expect(toStored(text, labels)).toBe(stored)
  })

  test('is the same after it was edited without a change', () => {
    const part = fc.constantFrom('@[user_a]', '@[user_l]', '@[user_z]', '@[user_x]', ' ', ', ', 'see', '@', '\n')
    fc.assert(
      fc.property(fc.array(part).map((parts) => parts.join(' ')), (stored) => {
        expect(toStored(toEditable(stored, labels), labels)).toBe(stored)
      }),
      { seed: 5 },
    )
  })
})

test('shows names in place of ids, and where they are', () => {
  const { text, spans, people } = toShown('**@[user_l]**, ask @[user_a] or @[user_x]', [ann, annLee])
  expect(text).toBe('**@Ann Lee**, ask @Ann or @[user_x]')
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['@Ann Lee', '@Ann'])
  expect(people).toEqual([annLee, ann])
})

describe('a mention that is being written', () => {
  const typed = (marked: string) => typedMention(marked.replace('|', ''), marked.indexOf('|'))

  test.each([
    ['@|', { start: 0, query: '' }],
    ['Hi @an| there', { start: 3, query: 'an' }],
    ['(@Ann L|', { start: 1, query: 'Ann L' }],
    [`${'x'.repeat(100)} @z|`, { start: 101, query: 'z' }],
  ])('is recognized in %j', (text, expected) => {
    expect(typed(text)).toEqual(expected)
  })

  test.each(['|', 'Hi|', '|@an', 'ann@x|', '@an\n|', `@${'x'.repeat(41)}|`])('is not recognized in %j', (text) => {
    expect(typed(text)).toBeNull()
  })

  test('is offered people by name, part of a name or e-mail address', () => {
    const people = [ann, annLee, zoe]
    expect(matchPeople(people, 'AN')).toEqual([ann, annLee])
    expect(matchPeople(people, 'lee')).toEqual([annLee])
    expect(matchPeople(people, 'zoe@')).toEqual([zoe])
    expect(matchPeople(people, '')).toEqual(people)
    expect(matchPeople(people, ' ')).toEqual([])
    expect(matchPeople(people, 'Ann Lee ')).toEqual([])
    expect(matchPeople(Array.from({ length: 9 }, () => ann), 'a')).toHaveLength(6)
  })

  test('is completed with a space after it', () => {
    expect(completeMention('Hi @an!', { start: 3, query: 'an' }, 'Ann')).toEqual({ text: 'Hi @Ann !', caret: 8 })
    expect(completeMention('Hi @an there', { start: 3, query: 'an' }, 'Ann')).toEqual({ text: 'Hi @Ann there', caret: 8 })
  })
})
