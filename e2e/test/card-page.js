// What a dashboard of Home Assistant provides to a card, as far as this card uses it.
import '/card.js'

customElements.define(
  'ha-card',
  class extends HTMLElement {
    connectedCallback() {
      this.style.background = 'var(--card-background-color)'
    }
  },
)

const calls = []
const opened = []
document.addEventListener('hass-more-info', ({ detail }) => opened.push(detail.entityId))

/** Home Assistant hands over the same object for what has not changed. */
const known = new Map()
function kept(path, value) {
  const text = JSON.stringify(value)
  if (known.get(path)?.text !== text) known.set(path, { text, value })
  return known.get(path).value
}
const keptEach = (path, values) =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, kept(`${path}.${id}`, value)]))

const formats = new Map()
function formatWith(words) {
  if (!formats.has(words)) formats.set(words, ({ state }) => words[state] ?? state)
  return formats.get(words)
}

/** The object that a dashboard hands to its cards: registries, states, and how to format and to call. */
const hassOf = ({ house, words, plans }) => ({
  ...keptEach('house', { ...house, states: keptEach('state', house.states) }),
  formatEntityState: formatWith(kept('words', words)),
  callService: async (...call) => {
    calls.push(call)
    if (!plans) throw new Error('an error of the service')
    return { context: {}, response: plans }
  },
})

window.cardPage = {
  calls,
  opened,
  show(given, config = {}) {
    const card = document.createElement('hypocaust-card')
    card.setConfig({ type: 'custom:hypocaust-card', ...config })
    card.hass = hassOf(given)
    document.querySelector('main').replaceChildren(card)
  },
  change(given) {
    document.querySelector('hypocaust-card').hass = hassOf(given)
  },
}
