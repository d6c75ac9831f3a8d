// Before the first paint and before the page's own script. Storage can be forbidden: nothing is then recalled.
const recalled = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

// A chosen theme does not flash.
const theme = recalled('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

const FAILED = {
  de: (seconds) => `Die Seite konnte nicht geladen werden. Nächster Versuch in ${seconds} Sekunden.`,
  en: (seconds) => `The page could not be loaded. Next attempt in ${seconds} seconds.`,
  fr: (seconds) => `La page n’a pas pu être chargée. Nouvel essai dans ${seconds} secondes.`,
  nl: (seconds) => `De pagina kon niet worden geladen. Volgende poging over ${seconds} seconden.`,
  sv: (seconds) => `Sidan kunde inte läsas in. Nästa försök om ${seconds} sekunder.`,
}
const FIRST_WAIT_S = 5
const LONGEST_WAIT_S = 60

// Without its script or its words the page would stay empty: a browser does not ask again for what a busy service refused.
function tryAgain() {
  const place = document.querySelector('.shell')
  if (!place) return
  // It is carried over a reload, and forgotten with any other way to a page.
  const waitS = history.state?.waitedS ? Math.min(2 * history.state.waitedS, LONGEST_WAIT_S) : FIRST_WAIT_S
  history.replaceState({ waitedS: waitS }, '')
  const wished = [recalled('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2))
  const words = document.createElement('p')
  words.role = 'alert'
  words.textContent = FAILED[wished.find((tag) => tag in FAILED) ?? 'en'](waitS)
  place.after(words)
  setTimeout(() => location.reload(), waitS * 1000)
}
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tryAgain(), true)
addEventListener('not-loaded', tryAgain)

// While the page's own script is on its way.
new Worker(new URL('tables.js', document.currentScript.src))
