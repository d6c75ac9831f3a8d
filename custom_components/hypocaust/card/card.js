import { formatsOf, whyOf } from './formats.js'
import { buildingName, registeredRooms, roomNow } from './house.js'
import { drawAxis, drawPlan, nowShare, warmthOf } from './plan-strip.js'
import { STYLE } from './style.js'
import { wordsOf } from './words.js'

const TYPE = 'hypocaust-card'
const MINUTE_MS = 60_000
/** A programme that was changed elsewhere is read by the integration every half hour. */
const PLANS_ANEW_MS = 30 * MINUTE_MS

const SKELETON = `<ha-card><h2></h2><p hidden></p><div class="axis" aria-hidden="true" hidden></div><ul></ul></ha-card>`
const ROOM = `<button type="button" class="room"><span class="name"></span><span class="temperatures"><span class="current"></span>
<span class="setpoint" aria-hidden="true"></span><span class="spoken"></span></span><span class="why"></span></button><div class="strip" role="img" hidden></div>`

/** The rooms of a building: how warm they are, why the floor does what it does, and what the day is planned to be. */
class HypocaustCard extends HTMLElement {
  #config = {}
  #hass
  #rooms = []
  #rows = new Map()
  #plans = {}
  #plansReadAt = 0
  #plansAreRead = false
  #shown = []
  #minutes

  constructor() {
    super()
    this.attachShadow({ mode: 'open' }).innerHTML = SKELETON
    const style = document.createElement('style')
    style.textContent = STYLE
    this.shadowRoot.prepend(style)
  }

  static getStubConfig() {
    return {}
  }

  static getConfigForm() {
    const words = wordsOf(document.documentElement.lang)
    const building = { device: { filter: { integration: 'hypocaust', model: 'Building' } } }
    return {
      schema: [
        { name: 'title', selector: { text: {} } },
        { name: 'building', selector: building },
      ],
      computeLabel: ({ name }) => words[name],
    }
  }

  setConfig(config) {
    for (const name of ['title', 'building'])
      if (config[name] !== undefined && typeof config[name] !== 'string') throw new Error(`${name} must be a text`)
    this.#config = config
    this.#update(true)
  }

  set hass(hass) {
    const before = this.#hass
    this.#hass = hass
    const isOther = (name) => before?.[name] !== hass[name]
    this.#update(['entities', 'devices', 'language', 'locale', 'config', 'formatEntityState'].some(isOther))
  }

  getCardSize() {
    return 1 + 2 * this.#rooms.length
  }

  getGridOptions() {
    return { columns: 12, min_columns: 6 }
  }

  connectedCallback() {
    this.#minutes = setInterval(() => this.#update(true), MINUTE_MS)
    this.#update(true)
  }

  disconnectedCallback() {
    clearInterval(this.#minutes)
  }

  /** Home Assistant sets `hass` at every change of any entity: only what concerns these rooms is drawn anew. */
  #update(isAnew) {
    const hass = this.#hass
    if (!hass) return
    if (isAnew) this.#rooms = registeredRooms(hass, this.#config.building, hass.language)
    const wishes = this.#rooms.map(({ setpoint }) => hass.states[setpoint])
    const shown = [
      ...wishes,
      ...this.#rooms.flatMap(({ climate, doing }) => [hass.states[climate], hass.states[doing]]),
    ]
    if (!isAnew && shown.every((state, i) => state === this.#shown[i])) return
    const isOtherWish = wishes.some((state, i) => state !== this.#shown[i])
    this.#shown = shown
    this.#draw()
    const isYesterday = Object.values(this.#plans).some(({ end }) => Date.parse(end) <= Date.now())
    const anewMs = isYesterday ? MINUTE_MS : PLANS_ANEW_MS
    if (isOtherWish || Date.now() - this.#plansReadAt >= anewMs) void this.#readPlans()
  }

  /** One action for all rooms. What was read stays while it is of today. */
  async #readPlans() {
    if (this.#rooms.length === 0 || this.#plansAreRead) return
    this.#plansAreRead = true
    this.#plansReadAt = Date.now()
    const wishes = this.#shown
    try {
      const target = { entity_id: this.#rooms.map(({ climate }) => climate) }
      const { response } = await this.#hass.callService('hypocaust', 'get_plan', {}, target, false, true)
      // Nothing comes back where the connection is lost meanwhile.
      this.#plans = response ?? this.#plans
      this.#draw()
    } catch (error) {
      console.warn('Hypocaust: the plan of the day could not be read', error)
    } finally {
      this.#plansAreRead = false
    }
    const { states } = this.#hass
    if (this.#rooms.some(({ setpoint }, i) => states[setpoint] !== wishes[i])) void this.#readPlans()
  }

  #draw() {
    const hass = this.#hass
    const now = new Date()
    const words = wordsOf(hass.language)
    const formats = formatsOf(hass, words)
    const find = (selector) => this.shadowRoot.querySelector(selector)
    find('h2').textContent = this.#config.title || buildingName(hass, this.#rooms) || words.name
    find('p').textContent = words.noRooms
    find('p').hidden = this.#rooms.length > 0
    const rows = this.#rooms.map((room) => this.#rowOf(room.climate))
    const list = find('ul')
    if (rows.length !== list.children.length || rows.some((row, i) => row !== list.children[i]))
      list.replaceChildren(...rows)
    const days = this.#rooms.map(({ climate }) => this.#dayOf(climate, now))
    const warmth = warmthOf(days.filter(Boolean))
    for (const [i, room] of this.#rooms.entries()) {
      showRoom(rows[i], roomNow(hass, room), { hass, words, formats, now })
      const strip = rows[i].querySelector('.strip')
      strip.hidden = !days[i]
      if (days[i]) drawPlan(strip, days[i], warmth, words, formats)
    }
    const day = days.find(Boolean)
    find('.axis').hidden = !day
    if (day) {
      drawAxis(find('.axis'), day, formats)
      this.style.setProperty('--now', nowShare(day, now))
    }
  }

  /** The plan of a room, where it has one that is of today. */
  #dayOf(entityId, now) {
    const day = this.#plans[entityId]
    return day && day.plan.length > 0 && Date.parse(day.end) > now.getTime() ? day : undefined
  }

  /** Rows are kept, so that the one in use keeps the focus. */
  #rowOf(entityId) {
    const known = this.#rows.get(entityId)
    if (known) return known
    const row = document.createElement('li')
    row.innerHTML = ROOM
    row.querySelector('button').addEventListener('click', () => {
      const detail = { entityId }
      this.dispatchEvent(new CustomEvent('hass-more-info', { bubbles: true, composed: true, detail }))
    })
    this.#rows.set(entityId, row)
    return row
  }
}

function showRoom(row, room, { hass, words, formats, now }) {
  const put = (selector, text) => {
    row.querySelector(selector).textContent = text
  }
  const why = whyOf(room, hass, words, formats, now)
  const [current, setpoint] = [
    formats.degrees(room.current),
    room.setpoint === null ? '' : formats.degrees(room.setpoint),
  ]
  put('.name', room.name)
  put('.current', current)
  put('.setpoint', setpoint && `→ ${setpoint}`)
  put('.why', why)
  row.classList.toggle('active', room.isActive)
  put('.spoken', setpoint && formats.say('heatedTo', { temperature: setpoint }))
}

if (!customElements.get(TYPE)) {
  customElements.define(TYPE, HypocaustCard)
  const { name, description } = wordsOf(document.documentElement.lang)
  window.customCards ??= []
  window.customCards.push({ type: TYPE, name: `Hypocaust: ${name}`, description, preview: true })
}
