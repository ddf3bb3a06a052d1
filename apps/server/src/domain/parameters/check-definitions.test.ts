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
      definition({ name: 'r', type: 'dateRange', defaultValue: 'last 30 days' }),
      definition({ name: 'l', type: 'number', isList: true, defaultValue: '[1,"2"]' }),
      definition({ name: 'e', type: 'text', isList: true, defaultValue: '' }),
      definition({ name: 'o', type: 'text', defaultValue: '', options: { values: [{ value: 'DE', label: 'Germany' }, { value: '' }] } }),
      definition({
        name: 'q',
        type: 'text',
        defaultValue: '',
        options: { referenceShortId: 'abcdefghjk', valueColumn: 'code', labelColumn: 'name', dependsOn: ['r', 'o'] },
      }),
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

  it('reports what is wrong with lists, ranges and options', () => {
    const reference = { referenceShortId: 'abcdefghjk', valueColumn: 'code' }
    expect(
      faultPaths([
        definition({ name: 'a', type: 'dateRange', defaultValue: 'last month', isList: true }),
        definition({ name: 'b', type: 'dateRange', defaultValue: 'last month' }),
        definition({ name: 'c', type: 'number', isList: true, defaultValue: '1,2' }),
        definition({ name: 'd', type: 'number', isList: true, defaultValue: '[1,"x"]' }),
        definition({ name: 'e', type: 'dateRange', defaultValue: '', options: { values: [] } }),
        definition({ name: 'f', type: 'number', defaultValue: '', options: { values: [{ value: '1' }, { value: 'x' }], labelColumn: 'n' } }),
        definition({ name: 'g', type: 'text', defaultValue: '', options: {} }),
        definition({ name: 'h', type: 'text', defaultValue: '', options: { ...reference, values: [] } }),
        definition({ name: 'i', type: 'text', defaultValue: '', options: { referenceShortId: 'not an id', labelColumn: '' } }),
        definition({ name: 'j', type: 'text', defaultValue: '', options: { ...reference, dependsOn: ['j', 'no name', 'ghost', 'b', 'b', 'k'] } }),
        definition({ name: 'k', type: 'text', defaultValue: '', options: { ...reference, dependsOn: ['l'] } }),
        definition({ name: 'l', type: 'text', defaultValue: '', options: { ...reference, dependsOn: ['j'] } }),
      ]),
    ).toEqual([
      '/parameters/0/isList',
      '/parameters/1/defaultValue',
      '/parameters/2/defaultValue',
      '/parameters/3/defaultValue',
      '/parameters/4/options',
      '/parameters/5/options/values/1/value',
      '/parameters/5/options/labelColumn',
      '/parameters/6/options',
      '/parameters/7/options',
      '/parameters/7/options/valueColumn',
      '/parameters/8/options/referenceShortId',
      '/parameters/8/options/valueColumn',
      '/parameters/8/options/labelColumn',
      '/parameters/9/options/dependsOn/0',
      '/parameters/9/options/dependsOn/1',
      '/parameters/9/options/dependsOn/4',
      '/parameters/9/options/dependsOn/5',
      '/parameters/10/options/dependsOn/0',
      '/parameters/11/options/dependsOn/0',
    ])
    const many = Array.from({ length: 1001 }, (_, index) => ({ value: String(index) }))
    expect(faultPaths([definition({ type: 'text', defaultValue: '', options: { values: many } })])).toEqual(['/parameters/0/options/values'])
    const longList = JSON.stringify(many.map(({ value }) => value))
    expect(faultPaths([definition({ type: 'text', isList: true, defaultValue: longList })])).toEqual(['/parameters/0/defaultValue'])
  })
})
