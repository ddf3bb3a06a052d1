import { isActive } from './active-text.ts'
import type { ChartValue } from './chart-element.ts'
import { refuse } from './chart-fault.ts'
import type { JsxNode } from './jsx-node.ts'
import { displayProps, pathProps, propNames, styleNames, styleProps } from './vocabulary.ts'

const maxValueDepth = 6

/** `name`: the prop, or the key inside it, whose rules apply to the value. */
interface Place {
  name: string
  depth: number
}

export function readValue(node: JsxNode, place: Place): ChartValue {
  if (place.depth > maxValueDepth) refuse(`nests values more than ${maxValueDepth} deep`, node)
  const inner = { name: place.name, depth: place.depth + 1 }
  switch (node.type) {
    case 'Literal':
      return readLiteral(node, place.name)
    case 'UnaryExpression': {
      const value = node.operator === '-' && node.argument?.type === 'Literal' ? node.argument.value : undefined
      if (typeof value === 'number') return -readNumber(value, node)
      break
    }
    case 'ArrayExpression':
      return node.elements!.map((element) =>
        element === null ? refuse('may not have gaps in arrays', node) : readValue(element, inner),
      )
    case 'ObjectExpression':
      return readObject(node, inner)
    default:
  }
  return refuse('may use only literal values: text, numbers, true, false, null, arrays and objects of them', node)
}

function readObject(node: JsxNode, place: Place): ChartValue {
  const allowed = styleProps.has(place.name) ? styleNames : propNames
  const entries = new Map<string, ChartValue>()
  for (const property of node.properties!) {
    const isPlain = property.type === 'Property' && property.kind === 'init'
    if (!isPlain || property.method || property.shorthand || property.computed) {
      refuse('may have only plain keys in objects', property)
    }
    const keyNode = property.key!
    const key = keyNode.type === 'Identifier' ? keyNode.name : keyNode.value
    if (typeof key !== 'string' || !allowed.has(key)) refuse(`may not have the key "${String(key)}" here`, property)
    if (entries.has(key)) refuse(`has the key "${key}" twice in one object`, property)
    // A style inside an object (`label={{ style: {…} }}`) follows the rules for styles.
    const name = styleProps.has(place.name) ? place.name : key
    entries.set(key, readValue(property.value as JsxNode, { name, depth: place.depth }))
  }
  return Object.fromEntries(entries)
}

function readLiteral(node: JsxNode, name: string): string | number | boolean | null {
  const { value } = node
  if (node.regex !== undefined || node.bigint !== undefined) refuse('may not use regular expressions or big integers', node)
  if (typeof value === 'number') return readNumber(value, node)
  if (typeof value === 'boolean' || value === null) return value
  const text = value as string
  if (isActive(text)) refuse('may not contain url(), javascript: or other text that a browser would act on', node)
  if (pathProps.has(name)) {
    if (/(?:^|[.[\]'"])(?:__proto__|constructor|prototype)(?:$|[.[\]'"])/.test(text)) {
      refuse(`may not use "${text}" as a column`, node)
    }
    // Drawing libraries look up such words in their own objects, and would find inherited properties.
  } else if (!displayProps.has(name) && text in Object.prototype) {
    refuse(`may not use "${text}" as ${name}`, node)
  }
  return text
}

function readNumber(value: number, node: JsxNode): number {
  return Number.isFinite(value) ? value : refuse('may use only finite numbers', node)
}
