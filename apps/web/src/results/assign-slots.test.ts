import { expect, test } from 'vitest'
import { assignSlots } from './assign-slots.ts'

test('an item that stays in view keeps its slot, and new ones take the slots of those that left', () => {
  expect(assignSlots([0, 1, 2, 3], [2, 3, 4, 5])).toEqual([4, 5, 2, 3])
  expect(assignSlots([4, 5, 2, 3], [1, 2, 3, 4])).toEqual([4, 1, 2, 3])
})

test('after a jump every slot shows another item', () => {
  expect(assignSlots([4, 1, 2, 3], [70, 71, 72, 73])).toEqual([70, 71, 72, 73])
})

test('there are as many slots as items', () => {
  expect(assignSlots([], [0, 1, 2])).toEqual([0, 1, 2])
  expect(assignSlots([0, 1], [1, 2, 3])).toEqual([2, 1, 3])
  expect(assignSlots([0, 1, 2, 3], [3, 4])).toEqual([3, 4])
  expect(assignSlots([0, 1], [])).toEqual([])
})

test('spare slots keep what they show until they are wanted', () => {
  expect(assignSlots([0, 1, 2, 3], [1, 2, 3], 1)).toEqual([0, 1, 2, 3])
  expect(assignSlots([0, 1, 2, 3], [4, 5], 2)).toEqual([4, 5, 2, 3])
  expect(assignSlots([0, 1, 2, 3], [2, 3, 4], 1)).toEqual([4, 1, 2, 3])
  expect(assignSlots([0, 1, 2, 3], [3], 2)).toEqual([3])
})
