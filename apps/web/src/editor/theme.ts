import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses the pages' CSS variables, so it follows light and dark mode. */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  // Pad the scroller rather than the text, so that the line numbers get the same padding.
  '.cm-scroller': {
    fontFamily: 'var(--font-mono, ui-monospace, monospace)',
    lineHeight: '22px',
    overflow: 'auto',
    padding: '8px 0',
  },
  '.cm-content': { padding: '0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
  '.cm-gutters': { color: 'var(--ink-soft)', backgroundColor: 'var(--surface)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 55%, transparent)' },
  '.cm-placeholder': { color: 'var(--ink-soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-wash)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--danger-wash)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--raised)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-wash)', outline: '1px solid var(--warning)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--accent-wash)' },
  '.cm-parameter, .cm-parameter *': { color: 'var(--accent)', fontWeight: '600' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    overflow: 'hidden',
    boxShadow: '0 6px 20px rgb(0 0 0 / 0.18)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '1.4' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--on-accent)', backgroundColor: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal', marginLeft: '1rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-diagnostic': { padding: '6px 10px', whiteSpace: 'pre-wrap', maxWidth: '36rem' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--danger-wash)',
  },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--raised)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px' },
  '.cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-textfield': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-button': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-dialog-close, .cm-panel.cm-search [name=close]': { color: 'var(--ink)' },
})

export const sqlColors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--accent-strong)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--ink-soft)', fontStyle: 'italic' },
])
