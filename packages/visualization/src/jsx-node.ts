import { type Node, Parser } from 'acorn'
import jsx from 'acorn-jsx'
import { refuse } from './chart-fault.ts'

/** The parts of acorn's JSX nodes that are used; acorn's own types cover only JavaScript. */
export interface JsxNode extends Node {
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

/** The single element of a jsxConfig, parsed but not checked yet. */
export function parseElement(text: string): JsxNode {
  const program = parse(text)
  const statement = program.body?.[0]
  const root = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
  if (program.body?.length !== 1 || root?.type !== 'JSXElement') {
    return refuse('must be exactly one element such as <BarChart><Bar dataKey="revenue" /></BarChart>', root ?? statement)
  }
  if (text.slice(root.start, root.end) !== text.trim()) refuse('has content besides its one element')
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
