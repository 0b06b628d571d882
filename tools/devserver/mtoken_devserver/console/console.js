// SPDX-License-Identifier: Apache-2.0
"use strict";

const notice = document.getElementById("notice");
const question = document.getElementById("question");

const NOTICE_MS = 8000;
let noticeEnds;

function sentence(text) {
  const whole = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : whole + ".";
}

// Good news go away by themselves; bad news stay until they are dismissed or the next thing is done.
function tell(text, { bad = false, link = "" } = {}) {
  clearTimeout(noticeEnds);
  notice.querySelector("span").textContent = text && sentence(text);
  notice.querySelector("a").hidden = !link;
  notice.querySelector("a").href = link || "#";
  notice.querySelector("button").hidden = !text;
  notice.className = [text && "shown", bad && "bad"].filter(Boolean).join(" ");
  if (text && !bad) noticeEnds = setTimeout(() => tell(""), NOTICE_MS);
}

// "{name}" becomes a member of what was sent or answered.
function filled(text, members, encode = String) {
  return text.replace(/{(\w+)}/g, (_, name) => encode(members[name] ?? ""));
}

async function callApi(call, body) {
  const [method, path] = call.split(" ");
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: method === "GET" ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(answer.responseObject?.message ?? `The server refused this with HTTP status ${response.status}`);
  }
  return answer;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (field.type === "number") return Number(field.value);
  if (!("json" in field.dataset)) return field.value;
  try {
    return JSON.parse(field.value || "{}");
  } catch {
    throw new Error(`${field.labels[0].textContent.trim()} is not JSON`);
  }
}

// "parameters.amount" becomes {parameters: {amount}}; empty fields are left out.
function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.matches(":disabled")) continue;
    const value = valueOf(field);
    if (value === "" || value === false || value === 0) continue;
    const path = field.name.split(".");
    const last = path.pop();
    path.reduce((part, name) => (part[name] ??= {}), body)[last] = value;
  }
  return body;
}

// Changes what differs and leaves the rest alone: focus, selection, open details and scroll positions stay.
function morph(old, fresh) {
  for (const name of old.getAttributeNames()) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    if (old.getAttribute(name) !== fresh.getAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
  }
  morphChildren(old, fresh);
}

function morphChildren(old, fresh) {
  const keyed = new Map();
  for (const child of old.children) if (child.dataset.key) keyed.set(child.dataset.key, child);
  let here = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const key = wanted.dataset?.key;
    while (here?.nodeType === Node.TEXT_NODE && wanted.nodeType !== Node.TEXT_NODE) {
      const space = here;
      here = here.nextSibling;
      space.remove();
    }
    const match = key ? keyed.get(key) : here;
    const same = match && match.nodeName === wanted.nodeName && (match.dataset?.key ?? "") === (key ?? "");
    if (same && match.nodeType === Node.ELEMENT_NODE) {
      if (match !== here) old.insertBefore(match, here);
      morph(match, wanted);
      here = match.nextSibling;
    } else if (same) {
      if (match.data !== wanted.data) match.data = wanted.data;
      here = match.nextSibling;
    } else {
      old.insertBefore(wanted, here);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

async function refresh() {
  for (const element of document.querySelectorAll("[data-live]")) {
    const response = await fetch(element.dataset.live + ("query" in element.dataset ? location.search : ""));
    if (!response.ok) continue;
    const html = await response.text();
    if (html === element.shown) continue;
    element.shown = html;
    const fresh = document.createElement("div");
    fresh.innerHTML = html;
    morphChildren(element, fresh);
  }
}

// Asks in a dialog; null: no. With `ask` the answer is what was typed.
function askFor(text, ask, value) {
  const label = question.querySelector("label");
  const field = label.querySelector("input");
  document.getElementById("question-text").textContent = text;
  label.hidden = !ask;
  field.required = Boolean(ask);
  label.querySelector("span").textContent = ask ?? "";
  field.value = value ?? "";
  return new Promise((resolve) => {
    question.returnValue = "";
    question.addEventListener("close", () => resolve(question.returnValue === "yes" ? field.value : null), { once: true });
    question.showModal();
  });
}

function showOffline(form, text) {
  const image = document.getElementById("offline-qr");
  image.src = "/console/qr.svg?text=" + encodeURIComponent(text);
  image.closest("figure").hidden = false;
  document.getElementById("offline-text").textContent = text;
  document.getElementById("offline-copy").dataset.copy = text;
  const command = document.getElementById("offline-command");
  const line = `mtoken qr -p ${form.dataset.profile} --text '${text.replaceAll("'", "'\\''")}'`;
  command.hidden = false;
  command.querySelector("pre").textContent = line;
  command.querySelector("button").dataset.copy = line;
}

async function run(element, body) {
  try {
    const { api, told, link, json, show, result } = element.dataset;
    const members = { ...body };
    const call = filled(api, members, encodeURIComponent);
    for (const [, name] of api.matchAll(/{(\w+)}/g)) delete body[name];
    let sent = body;
    if (json) {
      try {
        sent = JSON.parse(body[json]);
      } catch {
        throw new Error("This is not JSON");
      }
    }
    const answer = await callApi(call, sent);
    if (show) showOffline(element, answer[show]);
    if (result && !answer[result]) {
      tell(`The code is refused: ${answer.reason}. ${answer.remainingAttempts} attempts left`, { bad: true });
    } else {
      tell(filled(told, { ...members, ...answer }), { link: link && filled(link, answer, encodeURIComponent) });
    }
  } catch (error) {
    tell(error.message, { bad: true });
  }
}

const phone = document.getElementById("phone");
let touches = 0;

async function showPhone(response) {
  if (!response.ok) throw new Error("The phone does not answer");
  phone.innerHTML = await response.text();
  const button = phone.querySelector("[data-seconds]");
  if (button) countDown(button, Number(button.dataset.seconds), button.textContent);
}

function countDown(button, left, text) {
  button.disabled = left > 0;
  button.textContent = left > 0 ? `${text} (${left} s)` : text;
  if (left > 0 && button.isConnected) setTimeout(countDown, 1000, button, left - 1, text);
}

function readPhone() {
  const place = phone.querySelector("[aria-invalid]") ?? phone.querySelector("h3");
  if (place.matches("h3")) place.tabIndex = -1;
  place.focus();
}

// A screen that only waits is looked at anew; where somebody types or reads, it stays.
async function lookAtPhone() {
  if (!phone || phone.hasAttribute("aria-busy")) return;
  const held = phone.contains(document.activeElement);
  const screen = phone.querySelector("[data-screen]")?.dataset.screen;
  const typed = [...phone.querySelectorAll("input:not([type=hidden]), textarea")].some((field) => field.value);
  const quiet = !screen || ["sending", "waiting", "missing"].includes(screen);
  if (!quiet && (typed || !["home", "start"].includes(screen))) return;
  const before = touches;
  const response = await fetch("/console/phone");
  if (touches !== before) return; // somebody has touched it meanwhile
  await showPhone(response);
  if (held) readPhone();
}

async function touch(form) {
  if (phone.hasAttribute("aria-busy")) return;
  touches += 1;
  const buttons = phone.querySelectorAll("button");
  try {
    const body = Object.fromEntries(new FormData(form));
    const headers = { "Content-Type": "application/json" };
    phone.setAttribute("aria-busy", "true");
    buttons.forEach((button) => (button.disabled = true));
    await showPhone(await fetch(`/console/phone/${form.dataset.phone}`, { method: "POST", headers, body: JSON.stringify(body) }));
    readPhone();
  } catch {
    buttons.forEach((button) => (button.disabled = false));
    tell("The phone does not answer", { bad: true });
  } finally {
    phone.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  if (event.target.dataset.phone) {
    event.preventDefault();
    touch(event.target);
    return;
  }
  if (!event.target.dataset.api) return;
  event.preventDefault();
  try {
    run(event.target, bodyOf(event.target));
  } catch (error) {
    tell(error.message, { bad: true });
  }
});

function typed(button, answer) {
  if (!("askJson" in button.dataset)) return answer;
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}

document.addEventListener("click", async (event) => {
  const copy = event.target.closest("button[data-copy]");
  if (copy) {
    try {
      await navigator.clipboard.writeText(copy.dataset.copy);
      tell(`${copy.getAttribute("aria-label").replace(/^Copy /, "")} is copied`);
    } catch {
      tell("The browser does not let this page copy", { bad: true });
    }
    return;
  }
  const digit = event.target.closest("button[data-digit]");
  if (digit) {
    const field = digit.form.elements.pin;
    field.value = digit.dataset.digit ? field.value + digit.dataset.digit : field.value.slice(0, -1);
    return;
  }
  const button = event.target.closest("button[data-api]");
  if (!button) return;
  const { ask, question: text, value } = button.dataset;
  const body = JSON.parse(button.dataset.body ?? "{}");
  if (text) {
    const answer = await askFor(text, ask, value);
    if (answer === null) return;
    if (ask) body[ask] = typed(button, answer);
  }
  run(button, body);
});

// Of the fields for a template only those of the chosen one are shown and sent.
function chooseTemplate(select) {
  for (const part of select.form.querySelectorAll("fieldset[data-template]")) {
    part.hidden = part.disabled = part.dataset.template !== select.value;
  }
}

document.addEventListener("change", (event) => {
  if (event.target.matches("select[name=template]")) chooseTemplate(event.target);
});
document.querySelectorAll("select[name=template]").forEach(chooseTemplate);
notice.querySelector("button").addEventListener("click", () => tell(""));

// One request waits for the next change; a screen that is on its way is looked at each second besides.
async function follow() {
  let seen = 0;
  let lost = false;
  for (;;) {
    try {
      seen = await (await fetch(`/console/changes?seen=${seen}`)).json();
      await Promise.all([refresh(), lookAtPhone()]);
      if (lost) tell("The server answers again");
      lost = false;
    } catch {
      if (!lost) tell("The server does not answer. Is it still running?", { bad: true });
      lost = true;
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

if (phone || document.querySelector("[data-live]")) follow();
setInterval(() => phone?.querySelector("[data-waits]") && lookAtPhone().catch(() => {}), 1000);
