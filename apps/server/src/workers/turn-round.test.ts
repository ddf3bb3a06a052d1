import { expect, test } from 'vitest'
import { makeTurnRound } from './turn-round.ts'

const turnsOf = (...organizationIds: string[]) => organizationIds.map((organizationId) => ({ organizationId }))

test('a round lasts until an organization has its second turn', () => {
  const round = makeTurnRound()
  round.add(turnsOf('a', 'b'))
  round.add([])
  round.add(turnsOf('c'))
  expect(round.served()).toEqual(['a', 'b', 'c'])
  round.add(turnsOf('b'))
  expect(round.served()).toEqual(['b'])
})

test('an organization that has more turns in one claim than others begins the next round', () => {
  const round = makeTurnRound()
  round.add(turnsOf('a', 'b', 'a'))
  expect(round.served()).toEqual(['a'])
})
