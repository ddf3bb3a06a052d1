import { autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
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
import { editorDialect } from './dialects.ts'
import { errorMark } from './error-mark.ts'
import { insertionOf } from './insertion.ts'
import { savedQuerySource } from './saved-query-completion.ts'
import type { Dialect, Selection, SqlEditorProps } from './sql-editor-props.ts'
import { editorTheme, sqlColors } from './theme.ts'
import { typingOverSelection } from './typing-over-selection.ts'

/** CodeMirror, set up for SQL. Loaded on demand: see `sql-editor.tsx`. */
export function CodeEditor(props: SqlEditorProps) {
  const { value, label, dialect, defaultSchema, tables, parameterNames = [], error = null } = props
  const { isReadOnly = false, placeholder = '' } = props
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const compartments = useRef({ language: new Compartment(), mode: new Compartment() })
  const changed = useEffectEvent((text: string) => props.onChange?.(text))
  const run = useEffectEvent(() => props.onRun?.())
  const format = useEffectEvent(() => props.onFormat?.())
  const selectionChanged = useEffectEvent((hasSelection: boolean) => props.onSelectionChange?.(hasSelection))
  const language = languageOf({ dialect, defaultSchema, tables: tables ?? [], parameterNames })
  const mode = modeOf({ label, isReadOnly })
  const names = parameterNames.join(' ')

  useEffect(() => {
    const editorView = new EditorView({
      parent: container.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          Prec.highest(
            keymap.of([
              { key: 'Mod-Enter', run: (editor) => (closeCompletion(editor), run(), true) },
              { key: 'Shift-Alt-f', run: () => (format(), true) },
            ]),
          ),
          compartments.current.language.of(language),
          compartments.current.mode.of(mode),
          commonExtensions,
          placeholderText(placeholder),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
            const hadSelection = selectionIn(update.startState) !== null
            const hasSelection = selectionIn(update.state) !== null
            if (hadSelection !== hasSelection) selectionChanged(hasSelection)
          }),
        ],
      }),
    })
    view.current = editorView
    return () => editorView.destroy()
    // The view is created once; the effects below keep it up to date.
  }, [])

  useEffect(() => {
    const { current } = view
    if (current && current.state.doc.toString() !== value) {
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
    }
  }, [value])
  useEffect(
    () => view.current?.dispatch({ effects: compartments.current.language.reconfigure(language) }),
    [dialect, defaultSchema, tables, names],
  )
  useEffect(() => view.current?.dispatch({ effects: compartments.current.mode.reconfigure(mode) }), [label, isReadOnly])
  // CodeMirror moves the mark as the text around it changes; the next run clears it.
  useEffect(() => {
    const { current } = view
    if (!current) return
    const marks = error ? errorMark(current.state.doc, error) : []
    current.dispatch(setDiagnostics(current.state, marks))
    if (marks[0]) current.dispatch({ effects: EditorView.scrollIntoView(marks[0].from, { y: 'center' }) })
  }, [error])

  useImperativeHandle(props.ref, () => ({
    focus: () => view.current?.focus(),
    insertName(name) {
      const { current } = view
      if (!current) return
      const { from, to } = current.state.selection.main
      const line = current.state.doc.lineAt(from)
      const before = current.state.sliceDoc(line.from, from)
      const after = current.state.sliceDoc(to, current.state.doc.lineAt(to).to)
      const { replacedBefore, text } = insertionOf(name, { before, after })
      const start = from - replacedBefore
      current.dispatch({
        changes: { from: start, to, insert: text },
        selection: { anchor: start + text.trimEnd().length },
        scrollIntoView: true,
        userEvent: 'input.complete',
      })
      current.focus()
    },
    replaceAll(text) {
      const { current } = view
      if (!current) return
      const anchor = Math.min(current.state.selection.main.head, text.length)
      current.dispatch({
        changes: { from: 0, to: current.state.doc.length, insert: text },
        selection: { anchor },
        userEvent: 'input.format',
      })
      current.focus()
    },
    selection: () => (view.current ? selectionIn(view.current.state) : null),
  }))

  return <div ref={container} className={props.className} />
}

function selectionIn(state: EditorState): Selection | null {
  const { from, to } = state.selection.main
  const text = state.sliceDoc(from, to)
  return text.trim() === '' ? null : { text, start: from }
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

const commonExtensions: Extension = [
  EditorView.cspNonce.of(cspNonce),
  lineNumbers(),
  lintGutter(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentUnit.of('  '),
  syntaxHighlighting(sqlColors),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  parameters,
  typingOverSelection,
  editorTheme,
  // After Escape, CodeMirror lets the next Tab leave the editor, so keyboard users are never trapped.
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
]

function languageOf(options: {
  dialect: Dialect
  defaultSchema: string | undefined
  tables: Table[]
  parameterNames: string[]
}) {
  const { dialect, defaultSchema, tables, parameterNames } = options
  const sqlDialect = editorDialect(dialect)
  const schema = namespaceOf(tables, dialect)
  return [
    sql({ dialect: sqlDialect, schema, ...(defaultSchema !== undefined && { defaultSchema }) }),
    sqlDialect.language.data.of({ autocomplete: columnSource(tables, dialect) }),
    sqlDialect.language.data.of({ autocomplete: parameterSource(parameterNames) }),
    sqlDialect.language.data.of({ autocomplete: savedQuerySource(tables) }),
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
