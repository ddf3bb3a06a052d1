export { type Column, type ColumnRole, mainColumn, readColumns, type Unit } from './classify-columns.ts'
export { checkProof, type DownloadedResult, type Proof, type ProofCheck, type ProofFigure } from './check-proof.ts'
export {
  absolute,
  add,
  approximate,
  compare,
  type Decimal,
  decimalText,
  divide,
  isAlmostEqual,
  makeSum,
  negate,
  percentChange,
  percentOf,
  readDecimal,
  signOf,
  subtract,
  zero,
} from './decimal.ts'
export type { Draft, Published, StoredResult } from './draft.ts'
export type { Field, FieldType } from './field.ts'
export type { Figure, FigureSource } from './figure.ts'
export { counted, countText, differenceText, escapeMarkdown, numberText, onOneLine, percentText } from './format.ts'
export { provenText } from './proven-text.ts'
export { publish } from './publish.ts'
export { repairRequest } from './repair-request.ts'
export { endOf, readTime, type Step, steps, stepOf } from './time-steps.ts'
export {
  findUnsupportedRequests,
  type RequestContext,
  type RequestKind,
  type UnsupportedRequest,
  type UnsupportedRequests,
} from './unsupported-requests.ts'
export { compareNumbers, type NumberValue } from './expressions/compare-values.ts'
export type { Comparison, Condition, Expression, Operand, Style } from './expressions/expression.ts'
export { medianOf } from './expressions/gather.ts'
export { type PrintedValue, printNumber } from './expressions/print-value.ts'
export { writeExpression } from './expressions/write-expression.ts'
