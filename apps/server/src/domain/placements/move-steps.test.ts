import { describe, expect, test } from 'vitest'
import type { DirectoryEntry, Placement } from '../../model/placement.ts'
import { applyStep, beginMove, cancelMove, getStep, moveSteps, noteStep } from './move-steps.ts'
import { notPlaced } from './placement-rules.ts'

const entry: DirectoryEntry = { storeId: 'a', moveNumber: 4, move: null }
const active: Placement = { state: 'active', moveNumber: 4 }

/** The placements and the entry after all steps until this one. */
function moveUntil(last: (typeof moveSteps)[number]['name']) {
  let moving = beginMove(entry, 'b')!
  const at = { source: active, target: notPlaced }
  for (const step of moveSteps) {
    const { number } = moving.move!
    if (step.at !== 'directory') at[step.at] = applyStep(at[step.at], step, number)!
    moving = noteStep(moving, { number, step: step.name })!
    if (step.name === last) break
  }
  return { moving, ...at }
}

describe('a move', () => {
  test('ends with the organization on the target only', () => {
    expect(moveUntil('remove')).toEqual({
      moving: { storeId: 'b', moveNumber: 5, move: null },
      source: { state: 'absent', moveNumber: 5 },
      target: { state: 'active', moveNumber: 5 },
    })
  })

  test('closes the source before the directory names the target', () => {
    const { moving, source } = moveUntil('close')
    expect([moving.storeId, source.state]).toEqual(['a', 'closed'])
  })

  test('rejects steps of an earlier move, and steps that were done', () => {
    const { source, target } = moveUntil('remove')
    expect(applyStep(source, getStep('remove'), 4)).toBeUndefined()
    expect(applyStep(target, getStep('copy'), 5)).toBeUndefined()
    expect(applyStep(source, getStep('drain'), 5)).toBeUndefined()
  })

  test('can repeat its last step', () => {
    const { source } = moveUntil('freeze')
    expect(applyStep(source, getStep('freeze'), 5)).toEqual(source)
  })

  test('can be canceled until the switch, and its steps come too late afterwards', () => {
    const { moving, source, target } = moveUntil('close')
    expect(cancelMove(moving)?.move?.step).toBe('clear')
    const resumed = applyStep(source, getStep('resume'), 5)!
    const cleared = applyStep(target, getStep('clear'), 5)!
    expect([resumed.state, cleared.state]).toEqual(['active', 'absent'])
    for (const name of ['drain', 'freeze', 'close'] as const) expect(applyStep(resumed, getStep(name), 5), name).toBeUndefined()
    for (const name of ['receive', 'copy', 'open'] as const) expect(applyStep(cleared, getStep(name), 5), name).toBeUndefined()
    expect(cancelMove(moveUntil('switch').moving)).toBeUndefined()
  })

  test('is not noted twice', () => {
    const { moving } = moveUntil('drain')
    expect(noteStep(moving, { number: 5, step: 'drain' })).toBeUndefined()
    expect(noteStep(moving, { number: 4, step: 'freeze' })).toBeUndefined()
  })
})
