import { useState } from 'react'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { compareTexts, foldEqualRows, type Line, type LineRow, type Section } from './compare-texts.ts'

/** Two texts side by side, or one below the other on a phone. Equal lines far from a change are folded. */
export function SideBySide({ label, before, after }: { label: string; before: string; after: string }) {
  const isNarrow = useIsNarrow()
  const sections = foldEqualRows(compareTexts(before, after))
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <table aria-label={label} className="w-full table-fixed border-collapse font-mono text-xs leading-5">
        <colgroup>
          <col className="w-9" />
          <col />
          {!isNarrow && <col className="w-9" />}
          {!isNarrow && <col />}
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">{isNarrow ? 'Before and after' : 'Before'}</th>
            {!isNarrow && <th scope="col">Line</th>}
            {!isNarrow && <th scope="col">After</th>}
          </tr>
        </thead>
        {sections.map((section, at) => <SectionRows key={at} section={section} isNarrow={isNarrow} />)}
      </table>
    </div>
  )
}

function SectionRows({ section, isNarrow }: { section: Section; isNarrow: boolean }) {
  const [isOpen, setIsOpen] = useState(section.kind === 'rows')
  if (isOpen) {
    const Row = isNarrow ? StackedRow : PairedRow
    return <tbody>{section.rows.map((row, at) => <Row key={at} row={row} />)}</tbody>
  }
  const count = section.rows.length
  return (
    <tbody>
      <tr>
        <td colSpan={isNarrow ? 2 : 4} className="bg-raised p-0">
          <button type="button" className="w-full px-3 py-0.5 text-left font-sans text-soft hover:text-ink" onClick={() => setIsOpen(true)}>
            Show {count} unchanged lines
          </button>
        </td>
      </tr>
    </tbody>
  )
}

function PairedRow({ row }: { row: LineRow }) {
  return (
    <tr className="align-top">
      <Cells line={row.before} side={row.kind === 'same' ? undefined : 'removed'} />
      <Cells line={row.after} side={row.kind === 'same' ? undefined : 'added'} isSecond />
    </tr>
  )
}

function StackedRow({ row }: { row: LineRow }) {
  if (row.kind === 'same') return <tr className="align-top"><Cells line={row.after} /></tr>
  return (
    <>
      {row.before && <tr className="align-top"><Cells line={row.before} side="removed" /></tr>}
      {row.after && <tr className="align-top"><Cells line={row.after} side="added" /></tr>}
    </>
  )
}

const sides = {
  removed: { wash: 'bg-danger-wash', mark: 'bg-[color-mix(in_srgb,var(--danger)_22%,transparent)]', sign: '−', word: 'Removed: ' },
  added: { wash: 'bg-good-wash', mark: 'bg-[color-mix(in_srgb,var(--good)_22%,transparent)]', sign: '+', word: 'Added: ' },
}

function Cells({ line, side, isSecond = false }: { line: Line | undefined; side?: 'removed' | 'added' | undefined; isSecond?: boolean }) {
  const look = side && sides[side]
  const wash = line ? look?.wash : side && 'bg-raised'
  const border = isSecond ? 'border-l border-line' : ''
  const Changed = side === 'removed' ? 'del' : 'ins'
  return (
    <>
      <td className={`py-px pr-1 text-right text-soft tabular-nums select-none ${border} ${wash ?? ''}`}>{line?.number}</td>
      <td className={`relative py-px pr-2 pl-4 whitespace-pre-wrap [overflow-wrap:anywhere] ${wash ?? ''}`}>
        {line && look && (
          <>
            <span aria-hidden="true" className="absolute left-1 select-none">{look.sign}</span>
            <span className="sr-only">{look.word}</span>
          </>
        )}
        {line?.pieces.map(({ text, isChanged }, at) =>
          isChanged ? <Changed key={at} className={`rounded-xs no-underline ${look?.mark ?? ''}`}>{text}</Changed> : <span key={at}>{text}</span>,
        )}
      </td>
    </>
  )
}
