import { describe, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { checkDefinitions } from './check-definitions.ts'
import type { ParameterDefinition, ParameterType } from '../../model/parameter.ts'

function definition(changes: Partial<ParameterDefinition> = {}): ParameterDefinition {
  return { name: 'since', displayName: 'Since', type: 'date', defaultValue: '2024-01-01', description: '', ...changes }
}

function faultPaths(definitions: ParameterDefinition[]): string[] {
  try {
    checkDefinitions(definitions)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error
    return error.details!.map(({ path }) => path)
  }
  return []
}

describe('checkDefinitions', () => {
  it('accepts valid definitions and returns them', () => {
    const good = [
      definition(),
      definition({ name: 'n', type: 'number', defaultValue: '' }),
      definition({ name: 'b', type: 'boolean', defaultValue: 'true' }),
      definition({ name: 't', type: 'text', defaultValue: '' }),
    ]
    expect(checkDefinitions(good)).toEqual(good)
    expect(checkDefinitions([])).toEqual([])
  })

  it('reports every error with its path', () => {
    expect(
      faultPaths([
        definition(),
        definition({ defaultValue: '2024-02-30' }),
        definition({ name: '1x', type: 'money' as ParameterType }),
        definition({ name: 'a', displayName: 'x'.repeat(201), description: 'x'.repeat(2001) }),
        definition({ name: 'b', type: 'text', defaultValue: 'x\0' }),
      ]),
    ).toEqual([
      '/parameters/1/name',
      '/parameters/1/defaultValue',
      '/parameters/2/name',
      '/parameters/2/type',
      '/parameters/3/displayName',
      '/parameters/3/description',
      '/parameters/4/defaultValue',
    ])
    expect(faultPaths(Array.from({ length: 101 }, (_, index) => definition({ name: `p${index}` })))).toEqual([
      '/parameters',
    ])
  })
})
