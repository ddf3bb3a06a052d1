import { expect, test } from 'vitest'
import { mentionedIds, withNames } from './mentions.ts'

test('finds each mentioned person once, in order', () => {
  expect(mentionedIds('@[user_b] and @[user_a], again @[user_b]')).toEqual(['user_b', 'user_a'])
})

test.each(['no mention', 'ann@example.com', '@Ann', '@[team_a]', '@[user_]', '@ [user_a]', '[user_a]', `@[user_${'a'.repeat(65)}]`])(
  'finds nobody in %j',
  (text) => {
    expect(mentionedIds(text)).toEqual([])
  },
)

test('shows names instead of ids, and no id of somebody unknown', () => {
  const names = new Map([['user_a', 'Ann [user_b]']])
  expect(withNames('@[user_a]: ask @[user_c].', names)).toBe('@Ann [user_b]: ask @….')
})
