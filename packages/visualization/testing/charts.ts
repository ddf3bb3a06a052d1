import * as fc from 'fast-check'
import type { ChartElement, ChartValue } from '../src/chart-element.ts'
import { isActive } from '../src/active-text.ts'
import { chartElements, displayProps, partElements, pathProps, propNames, styleNames, styleProps } from '../src/vocabulary.ts'

/** Charts made of all allowed words, with all kinds of text allowed there. */
const text = (name: string) =>
  fc.string({ unit: fc.oneof(fc.constantFrom('"', '&', '\\', '<', '{', '\n', '\u2028', '&amp;', '\uD83D'), fc.string({ unit: 'binary', maxLength: 2 })), maxLength: 12 })
    .filter((value) => !isActive(value))
    .filter((value) => displayProps.has(name) || !(value in Object.prototype))
    .filter((value) => !pathProps.has(name) || !/__proto__|constructor|prototype/.test(value))

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1e21, 5e-324))

function value(name: string, depth: number): fc.Arbitrary<ChartValue> {
  const simple: fc.Arbitrary<ChartValue> = fc.oneof(text(name), number, fc.boolean(), fc.constant(null))
  if (depth === 0) return simple
  return fc.oneof(simple, fc.array(value(name, depth - 1), { maxLength: 3 }), object(name, depth - 1))
}

function object(name: string, depth: number): fc.Arbitrary<ChartValue> {
  const isStyle = styleProps.has(name)
  const keys = fc.uniqueArray(fc.constantFrom(...(isStyle ? styleNames : [...propNames].filter((key) => !styleProps.has(key)))), { maxLength: 3 })
  return keys.chain((names) =>
    fc.tuple(...names.map((key) => value(isStyle ? name : key, depth))).map((values) => Object.fromEntries(names.map((key, at) => [key, values[at]!]))),
  )
}

const props = fc
  .uniqueArray(fc.constantFrom(...propNames), { maxLength: 4 })
  .chain((names) =>
    fc
      .tuple(...names.map((name) => (styleProps.has(name) ? object(name, 1) : value(name, 2))))
      .map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]!]))),
  )

const parts = (depth: number): fc.Arbitrary<ChartElement[]> =>
  fc.array(
    fc.record({
      name: fc.constantFrom(...partElements),
      props,
      children: depth === 0 ? fc.constant([]) : parts(depth - 1),
    }),
    { maxLength: 3 },
  )

export const anyChart: fc.Arbitrary<ChartElement> = fc.record({
  name: fc.constantFrom(...chartElements),
  props,
  children: parts(2),
})
