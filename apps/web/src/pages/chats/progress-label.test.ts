import { expect, test } from 'vitest'
import type { Message } from '../../api/chats.ts'
import { progressLabel } from './progress-label.ts'

const labelOf = (last: object | undefined, status: 'pending' | 'running' = 'running') => progressLabel({ status }, last as Message | undefined)
const query = { kind: 'query_run', status: 'running', reference: null }
const call = { kind: 'tool_call', status: 'running', tool: 'list_tables', connector: null }

test('says what the agent is doing by its last step', () => {
  expect(labelOf(undefined, 'pending')).toBe('Waiting to start…')
  expect(labelOf(undefined)).toBe('Thinking…')
  expect(labelOf(query)).toBe('Running SQL…')
  expect(labelOf({ ...query, reference: { title: 'Revenue' } })).toBe('Running “Revenue”…')
  expect(labelOf({ ...query, status: 'completed' })).toBe('Reading the result…')
  expect(labelOf(call)).toBe('Looking at the tables…')
  expect(labelOf({ ...call, status: 'completed' })).toBe('Thinking…')
  expect(labelOf({ ...call, tool: 'lookup', connector: 'Records' })).toBe('Asking Records…')
  expect(labelOf({ ...call, tool: 'new_tool' })).toBe('Using new_tool…')
  expect(labelOf({ kind: 'text' })).toBe('Writing…')
})
