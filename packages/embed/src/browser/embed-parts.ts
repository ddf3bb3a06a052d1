import type { SessionState } from '../session.ts'

/** The parts of the element: the place of the frame, and what is shown while there is no content. */
export interface EmbedParts {
  container: HTMLElement
  show(state: SessionState): void
}

/** Set through the style sheet object, which the content security policy of a page does not restrict. */
const styles = `
:host { display: block; position: relative; }
:host([hidden]) { display: none; }
[hidden] { display: none !important; }
iframe { display: block; width: 100%; height: 100%; min-height: 8rem; border: 0; color-scheme: normal; }
.frame:not([data-shown]) { position: absolute; inset: 0; overflow: hidden; opacity: 0; pointer-events: none; }
.loading { min-height: 8rem; border-radius: 8px; background: color-mix(in srgb, currentColor 8%, transparent); animation: pulse 1.6s ease-in-out infinite; }
.loading span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.error { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 0.5rem 0.75rem; padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px; }
.error[data-alone] { min-height: 8rem; box-sizing: border-box; }
.error:not([data-alone]) { margin-bottom: 0.5rem; }
.error p { margin: 0; }
button { font: inherit; color: inherit; padding: 0.25rem 0.75rem; border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: 6px; background: transparent; cursor: pointer; }
button:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
@keyframes pulse { 50% { opacity: 0.5; } }
@media (prefers-reduced-motion: reduce) { .loading { animation: none; } }
`

const texts = { failed: 'This content can’t be shown right now.', stale: 'This content can’t be updated right now.' }

export function makeParts(host: HTMLElement, onRetry: () => void): EmbedParts {
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]

  const loading = make('div', { class: 'loading', part: 'loading', role: 'status' })
  // The text is for screen readers; content of the page's own is visible.
  const loadingText = make('span')
  loadingText.textContent = 'Loading…'
  const loadingSlot = slot('loading', '')
  loadingSlot.append(loadingText)
  loading.append(loadingSlot)

  const error = make('div', { class: 'error', part: 'error', role: 'alert', hidden: '' })
  const message = make('p')
  const messageSlot = slot('error', texts.failed)
  message.append(messageSlot)
  const retry = make('button', { part: 'retry', type: 'button' })
  retry.append(slot('retry', 'Try again'))
  retry.addEventListener('click', onRetry)
  error.append(message, retry)

  const container = make('div', { class: 'frame' })
  root.append(error, loading, container)
  return {
    container,
    show({ name }) {
      const hasContent = name === 'shown' || name === 'stale'
      loading.hidden = name !== 'loading'
      error.hidden = name !== 'failed' && name !== 'stale'
      error.toggleAttribute('data-alone', name === 'failed')
      if (name === 'failed' || name === 'stale') messageSlot.textContent = texts[name]
      container.toggleAttribute('data-shown', hasContent)
      container.inert = !hasContent
    },
  }
}

function make(name: string, attributes: Record<string, string> = {}): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

/** A text that the page can replace with content of its own. */
function slot(name: string, text: string): HTMLElement {
  const element = make('slot', { name })
  element.textContent = text
  return element
}
