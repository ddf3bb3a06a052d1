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

// Highlights the current section in the outline, and scrolls the list of pages to the current one.
function trackPosition() {
  document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
  const outline = document.querySelector('.outline, .entries')
  if (!outline) return
  const links = new Map(
    [...outline.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  )
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
    const current = (passed.at(-1) ?? headings[0]).id
    for (const [id, link] of links) {
      if (id !== current) link.removeAttribute('aria-current')
      else if (!link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'location')
        link.scrollIntoView({ block: 'nearest' })
      }
    }
  }
  mark()
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true })
  for (const link of links.values()) link.addEventListener('click', () => outline.closest('[popover]').hidePopover?.())
}

addCopyButtons()
addLanguageTabs()
trackPosition()
