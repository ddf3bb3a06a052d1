import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { everyElement, type ChartValue } from './chart-element.ts'
import { ChartFault } from './chart-fault.ts'
import { findColumn } from './columns.ts'
import { parseJsxConfig } from './parse.ts'
import { prepareRows } from './prepare/prepare.ts'
import { hostileConfigs } from '../testing/hostile-configs.ts'
import { chartElements, partElements, propNames, styleNames } from './vocabulary.ts'

/**
 * Whatever text comes in, it is rejected or becomes data made of known words; nothing in it is ever executed, and no existing
 * object is changed.
 */
const sprung: string[] = []
const traps = ['alert', 'x', 'pwned'] as const

beforeEach(() => {
  sprung.length = 0
  const spring = (name: string) => () => void sprung.push(name)
  for (const name of traps) {
    Object.defineProperty(globalThis, name, { configurable: true, get: spring(name), set: spring(`${name} was set`) })
  }
  const trapped = (name: string) =>
    function Trapped() {
      sprung.push(name)
      throw new Error(`${name} was called`)
    }
  vi.stubGlobal('eval', trapped('eval'))
  vi.stubGlobal('Function', trapped('Function'))
  // The way around the global: every function leads to its constructor.
  Object.defineProperty(trueFunction.prototype, 'constructor', { configurable: true, writable: true, value: trapped('constructor') })
})
const trueFunction = Function
afterEach(() => {
  Object.defineProperty(trueFunction.prototype, 'constructor', { configurable: true, writable: true, value: trueFunction })
  vi.unstubAllGlobals()
  for (const name of traps) delete (globalThis as Record<string, unknown>)[name]
})

const pristine = () => [Object.getOwnPropertyNames(Object.prototype), Object.getOwnPropertyNames(Array.prototype)]

/** Returns the chart if it is valid, after checking that it contains only data made of known words. */
function read(text: string) {
  try {
    const chart = parseJsxConfig(text)
    for (const part of everyElement(chart)) {
      expect(chartElements.has(part.name) || partElements.has(part.name)).toBe(true)
      for (const [name, value] of Object.entries(part.props)) {
        expect(propNames.has(name)).toBe(true)
        expectPlain(value)
      }
    }
    return chart
  } catch (error) {
    if (!(error instanceof ChartFault)) throw error
    return undefined
  }
}

function expectPlain(value: ChartValue): void {
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
  expect(['string', 'number', 'boolean', 'object']).toContain(typeof value)
  if (typeof value !== 'object' || value === null) return
  expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value))
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) expect(propNames.has(key) || styleNames.has(key)).toBe(true)
    expectPlain(inner)
  }
}

test('the traps work', () => {
  void (globalThis as Record<string, unknown>)['pwned']
  const { eval: evaluate } = globalThis as unknown as { eval(text: string): void }
  expect(() => evaluate('1')).toThrow('eval was called')
  expect(() => (() => 1).constructor('return 1')).toThrow('constructor was called')
  expect(sprung).toEqual(['pwned', 'eval', 'constructor'])
})

test('nothing in the corpus is executed', () => {
  const before = pristine()
  for (const text of hostileConfigs) expect(read(text), text.slice(0, 80)).toBeUndefined()
  expect(sprung).toEqual([])
  expect(pristine()).toEqual(before)
})

const words = [
  ...chartElements, ...partElements, 'dataKey', 'fill', 'style', 'dot', 'label', 'name', 'stackId',
  '<', '>', '/>', '</', '{', '}', '{{', '}}', '=', '"', "'", '`', '${', '(', ')', '[', ']', '...', '.', ',', ':', ';', '=>', '//', '/*', '*/', '<!--',
  'pwned', 'pwned()', 'pwned=1', 'alert(1)', 'this', 'new Function("pwned")()', 'eval("pwned")', 'constructor', '__proto__', 'prototype',
  'import("x")', 'onClick', 'dangerouslySetInnerHTML', '__html', 'href', 'javascript:', 'url(', '\\u0075rl(', '&#106;', '&lt;', '\u0000', '\u2028', '\uFEFF',
  'é', '𝒙', '١', '0', '-1', '1e999', 'null', 'true', ' ', '\n',
]

describe('random combinations', () => {
  test('of JSX, JavaScript and tricks are never executed', () => {
    const before = pristine()
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (pieces) => {
        read(pieces.join(''))
        read(`<LineChart><Line ${pieces.join('')} /></LineChart>`)
        read(`<LineChart><Line dataKey={${pieces.join('')}} dot={{ ${pieces.join('')} }} /></LineChart>`)
        read(`<LineChart><Line name="${pieces.join('')}" /></LineChart>`)
      }),
      { seed: 2, numRuns: 1500 },
    )
    expect(sprung).toEqual([])
    expect(pristine()).toEqual(before)
  })

  test('of any characters give a chart or a fault', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void read(`<BarChart>${text}</BarChart>`)), { seed: 3, numRuns: 1000 })
    expect(sprung).toEqual([])
  })
})

test('a column is always one of the result, whatever its name', () => {
  const names = ['__proto__', 'constructor', 'toString', 'a.b', 'a[0]', 'hasOwnProperty', '']
  const fields = names.map((name) => ({ name, type: 'integer' as const }))
  const row = names.map((_, at) => at)
  for (const [at, name] of names.entries()) expect(findColumn(fields, name)?.valueIn(row)).toBe(at)
  const json = [{ name: 'j', type: 'json' as const }]
  for (const path of ['j.__proto__', 'j.constructor.name', 'j.toString', 'j["__proto__"].x', 'j.a.length.constructor']) {
    expect(findColumn(json, path)!.valueIn([{ a: [1] }])).toBeUndefined()
  }
  expect(findColumn(json, 'j.a[0].b')!.valueIn([{ a: [{ b: 7 }] }])).toBe(7)
})

test('rows cannot reach the prototypes either', () => {
  const before = pristine()
  const rows = [[JSON.parse('{"__proto__": {"polluted": 1}}'), '__proto__', 1]]
  const fields = [{ name: 'j', type: 'json' as const }, { name: 'name', type: 'string' as const }, { name: '__proto__', type: 'integer' as const }]
  const chart = parseJsxConfig('<BarChart><XAxis dataKey="name" /><Bar dataKey="j.polluted" /></BarChart>')
  const { series } = prepareRows({ fields, rows, element: chart })
  expect(series).toEqual([])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(pristine()).toEqual(before)
})

test('rejects large and deeply nested texts', () => {
  const line = (inner: string) => `<LineChart><Line ${inner} /></LineChart>`
  const texts = [
    'a'.repeat(1_000_000),
    '<LineChart>'.repeat(100_000),
    line(`dot={${'{a:'.repeat(5_000)}`),
    line(`ticks={${'['.repeat(9_000)}`),
    line(`fill="${'/**/'.repeat(4_000)}url("`),
    line(`fill="${'\\75 '.repeat(4_500)}rl("`),
    line(`name="${'&amp;'.repeat(3_000)}url("`),
    line(`name="${'&'.repeat(9_000)}url("`),
  ]
  for (const text of texts) expect(read(text) === undefined, text.slice(0, 60)).toBe(true)
})
