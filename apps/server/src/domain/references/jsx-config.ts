import { Parser, type Node } from 'acorn'
import jsx from 'acorn-jsx'
import { Refusal } from '../refusal.ts'
import { chartElements, partElements, pathProps, propNames, styleNames, styleProps } from './chart-vocabulary.ts'

/**
 * A *jsxConfig* is a chart written as JSX: one chart element with its parts, every prop a literal. It is parsed to a
 * tree of plain data and never evaluated; what the tree cannot express (names, calls, functions, spreads,
 * templates) is refused, and so is every element and prop that `chart-vocabulary.ts` does not list.
 */
export type ChartValue = string | number | boolean | null | ChartValue[] | { [key: string]: ChartValue }

export interface ChartElement {
  name: string
  props: { [name: string]: ChartValue }
  children: ChartElement[]
}

const maxLength = 20_000
const maxElements = 200
const maxElementDepth = 8
const maxValueDepth = 6

export function parseJsxConfig(text: string): ChartElement {
  if (text.length > maxLength) refuse(`is longer than ${maxLength} characters`)
  const root = parseExpression(text)
  let elementCount = 0

  function readElement(node: JsxNode, depth: number): ChartElement {
    elementCount++
    if (elementCount > maxElements) refuse(`has more than ${maxElements} elements`, node)
    if (depth > maxElementDepth) refuse(`nests elements more than ${maxElementDepth} deep`, node)
    const opening = node.openingElement!
    const name = opening.name as JsxNode
    const allowed = depth === 1 ? chartElements : partElements
    if (name.type !== 'JSXIdentifier' || !allowed.has(name.name as string)) {
      refuse(
        `${depth === 1 ? 'must begin with' : 'may contain only'} one of ${[...allowed].join(', ')}`,
        name,
      )
    }
    return {
      name: name.name as string,
      props: readProps(opening.attributes!),
      children: node.children!.flatMap((child) => readChild(child, depth + 1)),
    }
  }

  function readChild(child: JsxNode, depth: number): ChartElement[] {
    if (child.type === 'JSXElement') return [readElement(child, depth)]
    if (child.type === 'JSXText' && (child.value as string).trim() === '') return []
    return refuse('may contain only elements: no text, no {…} between them, no fragments', child)
  }

  return readElement(root, 1)
}

/** The parts of acorn's JSX nodes that are read; acorn's own types know only JavaScript. */
interface JsxNode extends Node {
  name?: unknown
  value?: unknown
  openingElement?: JsxNode
  attributes?: JsxNode[]
  children?: JsxNode[]
  expression?: JsxNode
  body?: JsxNode[]
  operator?: string
  argument?: JsxNode
  elements?: (JsxNode | null)[]
  properties?: JsxNode[]
  key?: JsxNode
  kind?: string
  method?: boolean
  shorthand?: boolean
  computed?: boolean
  regex?: unknown
  bigint?: unknown
}

const JsxParser = Parser.extend(jsx({ allowNamespaces: false, allowNamespacedObjects: false }))

function parseExpression(text: string): JsxNode {
  const program = parse(text)
  const statement = program.body?.[0]
  const root = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
  if (program.body?.length !== 1 || root?.type !== 'JSXElement') {
    return refuse('must be exactly one element such as <BarChart><Bar dataKey="revenue" /></BarChart>', root ?? statement)
  }
  if (text.slice(root.start, root.end) !== text.trim()) refuse('has something beside its one element')
  return root
}

function parse(text: string): JsxNode {
  try {
    return JsxParser.parse(text, { ecmaVersion: 2024, sourceType: 'module', locations: true }) as JsxNode
  } catch (error) {
    // Deep nesting exhausts the parser's stack before the depth can be counted.
    if (error instanceof RangeError) refuse('is nested too deeply')
    if (!(error instanceof SyntaxError)) throw error
    const { loc } = error as SyntaxError & { loc?: { line: number; column: number } }
    return refuse(`is not valid JSX: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`, loc && { loc: { start: loc } })
  }
}

function readProps(attributes: JsxNode[]): { [name: string]: ChartValue } {
  const props = new Map<string, ChartValue>()
  for (const attribute of attributes) {
    const nameNode = attribute.name as JsxNode | undefined
    if (attribute.type !== 'JSXAttribute' || nameNode?.type !== 'JSXIdentifier') {
      refuse('may give props only one by one, as name="text" or name={literal}', attribute)
    }
    const name = nameNode.name as string
    if (!propNames.has(name)) refuse(`may not have the prop "${name}"`, attribute)
    if (props.has(name)) refuse(`has the prop "${name}" twice on one element`, attribute)
    const value = readPropValue(attribute.value as JsxNode | null, name)
    if (styleProps.has(name) && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      refuse(`must give "${name}" as an object`, attribute)
    }
    props.set(name, value)
  }
  return Object.fromEntries(props)
}

function readPropValue(node: JsxNode | null, name: string): ChartValue {
  if (node === null) return true
  if (node.type === 'JSXExpressionContainer') return readValue(node.expression!, { name, depth: 1 })
  return readValue(node, { name, depth: 1 })
}

function readValue(node: JsxNode, place: { name: string; depth: number }): ChartValue {
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

function readObject(node: JsxNode, place: { name: string; depth: number }): ChartValue {
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
    // A style inside an object (`label={{ style: {…} }}`) keeps to the rules for styles.
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
  if (pathProps.has(name) && /(?:^|[.[\]'"])(?:__proto__|constructor|prototype)(?:$|[.[\]'"])/.test(text)) {
    refuse(`may not use "${text}" as a column`, node)
  }
  return text
}

function readNumber(value: number, node: JsxNode): number {
  return Number.isFinite(value) ? value : refuse('may use only finite numbers', node)
}

/** Looks through what CSS and browsers look through: case, white space, control characters, comments, escapes. */
function isActive(text: string): boolean {
  const plain = text
    .replaceAll(/\\([0-9A-Fa-f]{1,6})\s?/g, (_, digits: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff)),
    )
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/[\s\p{Cc}\p{Cf}\\]/gu, '')
    .toLowerCase()
  return /url\(|src\(|image\(|image-set\(|element\(|expression\(|@import|javascript:|vbscript:|data:\w+\//.test(plain)
}

function refuse(message: string, node?: { loc?: { start: { line: number; column: number } } | null | undefined }): never {
  const start = node?.loc?.start
  const place = start ? ` (line ${start.line}, column ${start.column + 1})` : ''
  throw new Refusal('invalid_request', `The chart's jsxConfig ${message}${place}.`, [
    { path: '/visualization/jsxConfig', message: `${message}${place}` },
  ])
}
