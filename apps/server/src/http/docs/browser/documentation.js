// Enhancements for the documentation. The pages work without this script.

const stored = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
const store = (name, value) => {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without local storage, the choice lasts until the page is closed.
  }
}
const element = (tag, properties = {}) => Object.assign(document.createElement(tag), properties)

function addCopyButtons() {
  // Browsers provide the clipboard only on https and localhost.
  if (!navigator.clipboard) return
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent.trimEnd())
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    figure.append(button)
  }
}

const languageKey = 'querypost-docs-language'

// Code in several languages: shows one at a time. The choice applies to all pages.
function addLanguageTabs() {
  const groups = [...document.querySelectorAll('.codes')].map((group) => {
    return { group, figures: [...group.querySelectorAll('figure')] }
  })
  const choose = (language) => {
    for (const { group, figures } of groups) {
      const chosen = figures.find((figure) => figure.dataset.language === language)
      if (!chosen && group.querySelector('[aria-selected=true]')) continue
      const shown = chosen ?? figures[0]
      for (const figure of figures) figure.hidden = figure !== shown
      for (const tab of group.querySelectorAll('[role=tab]')) {
        const isShown = tab.dataset.language === shown.dataset.language
        tab.setAttribute('aria-selected', String(isShown))
        tab.tabIndex = isShown ? 0 : -1
      }
    }
  }
  for (const [number, { group, figures }] of groups.entries()) {
    const list = element('div', { className: 'tabs', role: 'tablist' })
    list.setAttribute('aria-label', 'Language')
    for (const figure of figures) {
      const tab = element('button', { type: 'button', role: 'tab', id: `code-${number}-${figure.dataset.language}` })
      tab.textContent = figure.querySelector('figcaption').textContent
      tab.dataset.language = figure.dataset.language
      tab.addEventListener('click', () => {
        store(languageKey, tab.dataset.language)
        const before = tab.getBoundingClientRect().top
        choose(tab.dataset.language)
        // Code above may have become longer or shorter: keep the clicked tab in place.
        scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
      })
      figure.setAttribute('role', 'tabpanel')
      figure.setAttribute('aria-labelledby', tab.id)
      list.append(tab)
    }
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!step) return
      const tabs = [...list.children]
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
      next.click()
      next.focus()
    })
    group.prepend(list)
    group.classList.add('tabbed')
  }
  choose(stored(languageKey) ?? 'sh')
}

// Shows results below the field while typing; Enter opens the page with all results.
function addLiveSearch() {
  const form = document.querySelector('form.search')
  const input = form.querySelector('input')
  const panel = element('div', { className: 'found', hidden: true })
  form.append(panel)
  let timer
  let pending
  const close = () => (panel.hidden = true)
  async function search() {
    pending?.abort()
    const query = input.value.trim()
    if (query === '') return close()
    pending = new AbortController()
    try {
      const response = await fetch(`/docs/search?${new URLSearchParams({ q: query })}`, { signal: pending.signal })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      panel.replaceChildren(...(page.querySelector('#site-results')?.children ?? []))
      for (const more of [...panel.querySelectorAll('li')].slice(7)) more.remove()
      panel.hidden = document.activeElement !== input && !panel.contains(document.activeElement)
    } catch {
      // Aborted by a newer search, or offline. Enter still opens the results page.
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void search(), 120)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close()
      input.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || panel.hidden) return
    event.preventDefault()
    const places = [input, ...panel.querySelectorAll('a')]
    places[(places.indexOf(document.activeElement) + step + places.length) % places.length].focus()
  })
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

// Highlights the current section in the outline, and scrolls the list of pages to the current one.
function trackPosition() {
  document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
  const outline = document.querySelector('.outline')
  if (!outline) return
  const links = new Map(
    [...outline.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  )
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
    const current = (passed.at(-1) ?? headings[0]).id
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  const observer = new IntersectionObserver(mark, { rootMargin: '-110px 0px 0px 0px', threshold: [0, 1] })
  for (const heading of headings) observer.observe(heading)
  for (const link of links.values()) link.addEventListener('click', () => outline.hidePopover?.())
}

addCopyButtons()
addLanguageTabs()
addLiveSearch()
trackPosition()
