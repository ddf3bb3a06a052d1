import type { FieldRow } from './field-rows.ts'

/** Renders one line of Markdown. */
export type Inline = (text: string) => string

/** `marks` says which side is worth a word: required parameters of a request, optional fields of a response. */
export function fieldsHtml(rows: FieldRow[], options: { inline: Inline; marks: 'required' | 'optional' }): string {
  return `<ul class="fields">${rows.map((row) => fieldHtml(row, options)).join('\n')}</ul>`
}

function fieldHtml(row: FieldRow, options: { inline: Inline; marks: 'required' | 'optional' }): string {
  const { inline, marks } = options
  const isMarked = row.isRequired === (marks === 'required')
  const parts = [
    `<li><code>${row.name}</code> <span class="type">${inline(row.type)}</span>`,
    isMarked ? ` <span class="mark ${marks}">${marks}</span>` : '',
    row.description === '' ? '' : `<p>${inline(row.description)}</p>`,
    row.children.length === 0 ? '' : childrenHtml(row, options),
    '</li>',
  ]
  return parts.join('')
}

function childrenHtml({ name, children }: FieldRow, options: { inline: Inline; marks: 'required' | 'optional' }): string {
  const count = children.length === 1 ? '1 field' : `${children.length} fields`
  return `<details><summary>${count}<span class="unseen"> of ${name}</span></summary>${fieldsHtml(children, options)}</details>`
}
