// Shows search results while the reader types, as a combobox: the focus stays in the field, the arrow keys choose a
// result, Enter opens it. Without a chosen result Enter opens the page with all results, as it does without this script.

const shownResults = 7
const waitMs = 120

const form = document.querySelector('form.search')
const input = form.querySelector('input')
const panel = Object.assign(document.createElement('div'), { className: 'found', hidden: true })
const status = Object.assign(document.createElement('p'), { role: 'status' })
const list = Object.assign(document.createElement('div'), { id: 'site-found', role: 'listbox', ariaLabel: 'Search results' })
panel.append(status, list)
form.append(panel)
input.setAttribute('role', 'combobox')
input.setAttribute('aria-autocomplete', 'list')
input.setAttribute('aria-controls', list.id)
input.setAttribute('aria-expanded', 'false')

let timer
let request

function show(isShown) {
  panel.hidden = !isShown
  input.setAttribute('aria-expanded', String(isShown && list.children.length > 0))
  if (!isShown) choose(undefined)
}

function choose(option) {
  for (const other of list.children) other.setAttribute('aria-selected', String(other === option))
  if (option) input.setAttribute('aria-activedescendant', option.id)
  else input.removeAttribute('aria-activedescendant')
  option?.scrollIntoView({ block: 'nearest' })
}

/** A result of the search page as an option. It stays a link, so it can be opened in a new tab. */
function optionOf(result, number) {
  const link = result.querySelector('a')
  const option = document.createElement('a')
  Object.assign(option, { id: `site-found-${number}`, role: 'option', href: link.href, tabIndex: -1 })
  const [title, excerpt] = ['title', 'excerpt'].map((className) => Object.assign(document.createElement('span'), { className }))
  title.append(...link.childNodes)
  excerpt.append(...result.querySelector('p').childNodes)
  option.append(title, excerpt)
  return option
}

async function search() {
  request?.abort()
  const query = input.value.trim()
  if (query === '') return show(false)
  request = new AbortController()
  try {
    const response = await fetch(`/docs/search?${new URLSearchParams({ q: query })}`, { signal: request.signal })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    status.replaceChildren(...(page.querySelector('#site-results [role=status]')?.childNodes ?? []))
    const results = [...page.querySelectorAll('#site-results li')].slice(0, shownResults)
    list.replaceChildren(...results.map(optionOf))
    choose(undefined)
    show(form.contains(document.activeElement))
  } catch {
    // Another search has started, or the service can't be reached. Enter still opens the search page.
  }
}

function step(distance) {
  const places = [undefined, ...list.children]
  const current = places.findIndex((option) => option?.id === input.getAttribute('aria-activedescendant'))
  choose(places[(Math.max(current, 0) + distance + places.length) % places.length])
}

input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => void search(), waitMs)
})
// The service builds its index with the first search: let it start before the first word is typed.
input.addEventListener('focus', () => void fetch('/docs/search?q=').catch(() => undefined), { once: true })
input.addEventListener('focus', () => {
  if (list.children.length > 0 && input.value.trim() !== '') show(true)
})
input.addEventListener('keydown', (event) => {
  if (panel.hidden || event.isComposing) return
  const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const chosen = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
  if (distance) step(distance)
  else if (event.key === 'Escape') show(false)
  else if (event.key === 'Enter' && chosen) {
    show(false)
    chosen.click()
  } else return
  event.preventDefault()
})
form.addEventListener('focusout', (event) => {
  if (!form.contains(event.relatedTarget)) show(false)
})
list.addEventListener('click', () => show(false))
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
  input.select()
})
