import { lazy, Suspense } from 'react'
import type { SqlEditorProps } from './sql-editor-props.ts'

export type { Selection, SqlEditorHandle, SqlEditorProps } from './sql-editor-props.ts'

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** A SQL editor. CodeMirror is loaded on first use; until then the SQL is shown as plain text. */
export function SqlEditor(props: SqlEditorProps) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <CodeEditor {...props} />
    </Suspense>
  )
}

function Waiting({ value, className }: SqlEditorProps) {
  return (
    <pre aria-busy="true" className={`overflow-auto py-2 pr-3 pl-12 font-mono text-[13px] leading-5.5 text-soft ${className ?? ''}`}>
      {value}
    </pre>
  )
}
