import { Type } from 'typebox'

const sourceFields = {
  runId: Type.String({ description: 'The query run whose result it was computed from.', examples: ['run_2v7c'] }),
  sql: Type.String({ description: 'The SQL that was executed.' }),
  parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'The parameter values in that SQL.' }),
  resultHash: Type.String({ description: 'The hash of the result, as its `ETag` names it.' }),
}

const ProofFigure = Type.Object(
  {
    id: Type.String({ description: 'Unique within the text.', examples: ['f1'] }),
    text: Type.String({ description: 'The figure as printed in the text.', examples: ['up 3.4%'] }),
    value: Type.String({ description: 'The exact value: a decimal number, or a label.', examples: ['3.4'] }),
    unit: Type.String({ description: 'Such as `%` or `€`; empty for a plain number or a label.' }),
    ...sourceFields,
    expression: Type.String({ description: 'How the value is computed from the result’s rows.', examples: ['sum(revenue)'] }),
    sources: Type.Optional(
      Type.Array(Type.Object(sourceFields, { title: 'ProofSource', description: 'A query run that a figure was computed from.' }), {
        description: 'Only for figures that compare several runs: the others that its expression names.',
      }),
    ),
  },
  { title: 'ProofFigure', description: 'A figure and what is needed to compute it again.' },
)

export const Proof = Type.Object(
  {
    text: Type.String({ description: 'The text in Markdown. Figures that could not be proven are struck through: `~~12%~~`.' }),
    figures: Type.Array(ProofFigure, { description: 'The proven figures, in the order of the text.' }),
  },
  { title: 'Proof', description: 'A text with everything that is needed to compute its figures again.' },
)
