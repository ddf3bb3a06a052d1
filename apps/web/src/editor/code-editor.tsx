import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { sql } from '@codemirror/lang-sql'
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  placeholder as placeholderText,
  ViewPlugin,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import type { Table } from '../api/databases.ts'
import { cspNonce } from '../ui/csp-nonce.ts'
import { columnSource, namespaceOf, parameterSource } from './completion.ts'
import { dialects } from './dialects.ts'
import { errorMark } from './error-mark.ts'
import type { Dialect, SqlEditorProps } from './sql-editor-props.ts'
import { editorTheme, sqlColours } from './theme.ts'

/** CodeMirror, set up for SQL. Loaded on demand: see `sql-editor.tsx`. */
export function CodeEditor(props: SqlEditorProps) {
  const { value, label, dialect, defaultSchema, tables, parameterNames = [], error = null } = props
  const { isReadOnly = false, placeholder = '' } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const parts = useRef({ language: new Compartment(), mode: new Compartment() })
  const changed = useEffectEvent((text: string) => props.onChange?.(text))
  const run = useEffectEvent(() => props.onRun?.())
  const language = languageOf({ dialect, defaultSchema, tables: tables ?? [], parameterNames })
  const mode = modeOf({ label, isReadOnly })
  const names = parameterNames.join(' ')

  useEffect(() => {
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }])),
          parts.current.language.of(language),
          parts.current.mode.of(mode),
          commonParts,
          placeholderText(placeholder),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
    // Made once; the effects below bring it up to date.
  }, [])

  useEffect(() => {
    const { current } = view
    if (current && current.state.doc.toString() !== value) {
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
    }
  }, [value])
  useEffect(() => view.current?.dispatch({ effects: parts.current.language.reconfigure(language) }), [dialect, defaultSchema, tables, names])
  useEffect(() => view.current?.dispatch({ effects: parts.current.mode.reconfigure(mode) }), [label, isReadOnly])
  // A mark moves with the text that is changed around it, and goes with the next run.
  useEffect(() => {
    const { current } = view
    if (!current) return
    const marks = error ? errorMark(current.state.doc, error) : []
    current.dispatch(setDiagnostics(current.state, marks))
    if (marks[0]) current.dispatch({ effects: EditorView.scrollIntoView(marks[0].from, { y: 'center' }) })
  }, [error])

  useImperativeHandle(props.ref, () => ({
    focus: () => view.current?.focus(),
    insert(text) {
      const { current } = view
      if (!current) return
      current.dispatch(current.state.replaceSelection(text), { scrollIntoView: true })
      current.focus()
    },
  }))

  return <div ref={place} className={props.className} />
}

const parameterMarks = new MatchDecorator({
  regexp: /\{\{\s*\w+\s*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-parameter' }),
})
const parameters = ViewPlugin.define((editor) => ({
  marks: parameterMarks.createDeco(editor),
  update(update) {
    this.marks = parameterMarks.updateDeco(update, this.marks)
  },
}), { decorations: (plugin) => plugin.marks })

const commonParts: Extension = [
  EditorView.cspNonce.of(cspNonce),
  lineNumbers(),
  lintGutter(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentUnit.of('  '),
  syntaxHighlighting(sqlColours),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  parameters,
  editorTheme,
  // After Escape the editor lets the next Tab go on to whatever comes after it, so that nobody is caught in here.
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
]

function languageOf(options: {
  dialect: Dialect
  defaultSchema: string | undefined
  tables: Table[]
  parameterNames: string[]
}) {
  const { dialect, defaultSchema, tables, parameterNames } = options
  const spoken = dialects[dialect]
  const schema = namespaceOf(tables, dialect)
  return [
    sql({ dialect: spoken, schema, ...(defaultSchema !== undefined && { defaultSchema }) }),
    spoken.language.data.of({ autocomplete: columnSource(tables, dialect) }),
    spoken.language.data.of({ autocomplete: parameterSource(parameterNames) }),
  ]
}

function modeOf({ label, isReadOnly }: { label: string; isReadOnly: boolean }) {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(isReadOnly && { tabindex: '0', 'aria-readonly': 'true' }),
    }),
  ]
}
