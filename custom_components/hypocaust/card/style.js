/** Colours are Home Assistant's own variables, so the card follows its theme; nothing moves. */
export const STYLE = `
:host { display: block }
ha-card { display: block; padding: 16px; color: var(--primary-text-color); font-family: var(--ha-font-family-body, inherit) }
h2 { margin: 0 0 8px; font-size: var(--ha-card-header-font-size, 20px); font-weight: 400; line-height: 1.3; overflow-wrap: anywhere }
ul { margin: 0; padding: 0; list-style: none }
li + li { border-top: 1px solid var(--divider-color) }
li { padding-bottom: 8px }
.room { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; align-items: baseline; width: 100%;
  min-height: 48px; margin: 0; padding: 8px 0; border: 0; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer }
.room:focus-visible { outline: 2px solid var(--primary-color); outline-offset: 2px; border-radius: 4px }
.name { font-size: 16px; overflow-wrap: anywhere }
.temperatures { white-space: nowrap; font-variant-numeric: tabular-nums }
.current { font-size: 20px }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.setpoint { color: var(--secondary-text-color) }
.why { grid-column: 1 / -1; color: var(--secondary-text-color); font-size: 14px; overflow-wrap: anywhere }
.active .why { color: var(--primary-text-color) }
.active .why::before { content: ''; display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px;
  border-radius: 50%; background: var(--state-climate-heat-color, #ff8100) }
.axis { position: relative; height: 16px; color: var(--secondary-text-color); font-size: 11px }
.mark { position: absolute; transform: translateX(-50%) }
.strip { position: relative; height: 20px; overflow: hidden; border-radius: 4px; background: var(--secondary-background-color) }
.span { position: absolute; inset-block: 0; box-sizing: border-box;
  background: color-mix(in srgb, var(--state-climate-heat-color, #ff8100) var(--mix, 0%), transparent);
  font-size: 11px; line-height: 20px; text-align: center; white-space: nowrap }
.span + .span { border-inline-start: 1px solid var(--card-background-color) }
.now { position: absolute; inset-block: 0; inset-inline-start: var(--now, 0%); width: 2px; background: var(--primary-text-color) }
[hidden] { display: none }
@media (forced-colors: active) { .span { border: 1px solid CanvasText } .now { background: Highlight } }
`
