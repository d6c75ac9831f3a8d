export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 }
main { max-width: 72rem; margin: auto; padding: 1rem }
header, nav, form.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center }
header { justify-content: space-between }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem }
a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; color: inherit }
a[aria-current] { font-weight: 600; text-decoration-thickness: 3px }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .5rem 1.5rem; margin: 0 }
dt, .soft { color: color-mix(in srgb, currentColor 70%, transparent); font-size: .9rem }
dd { margin: 0; overflow-wrap: anywhere }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-top: 1px solid #8884; vertical-align: baseline }
thead th { border-top: 0; font-size: .9rem; white-space: nowrap }
tbody th { font-weight: 500 }
label { display: block; margin-top: .75rem }
input { font: inherit; width: 100%; max-width: 30rem; box-sizing: border-box; padding: .5rem }
form.row label { flex: 1 1 20rem; margin: 0 }
button { font: inherit; min-height: 2.75rem; padding: 0 1rem; cursor: pointer }
[role='alert'] { color: light-dark(#b00, #f88); font-weight: 600 }
`
