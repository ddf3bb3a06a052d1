import { EditorView } from '@codemirror/view'

/**
 * Replaces a selection with typed text through the editor's state. If the browser did it, it would keep the colors of the removed
 * text as inline styles, which the pages' content security policy forbids and the console reports.
 */
export const typingOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection
    if (main.empty || event.isComposing || event.inputType !== 'insertText' || event.data === null) return false
    const text = event.data
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handler) => handler(view, main.from, main.to, text, insert))
    if (!isHandled) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})
