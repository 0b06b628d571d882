"use strict";

const notice = document.getElementById("notice");
const question = document.getElementById("question");

function tell(text, bad) {
  notice.textContent = text;
  notice.className = bad ? "bad" : "";
}

async function callApi(call, body) {
  const [method, path] = call.split(" ");
  const response = await fetch(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: method === "GET" ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.responseObject.message);
  }
  return answer;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (field.type === "number") return Number(field.value);
  return "json" in field.dataset ? JSON.parse(field.value || "{}") : field.value;
}

// "parameters.amount" becomes {parameters: {amount}}; empty fields are left out.
function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name) continue;
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
    const taken = new Set();
    const call = element.dataset.api.replace(/{(\w+)}/g, (_, name) => (taken.add(name), encodeURIComponent(body[name])));
    for (const name of taken) delete body[name];
    const answer = await callApi(call, element.dataset.json ? JSON.parse(body[element.dataset.json]) : body);
    tell("Done");
    if (element.dataset.then) {
      location.href = element.dataset.then.replace(/{(\w+)}/, (_, name) => answer[name]);
    }
    if (element.dataset.show) showOffline(element, answer[element.dataset.show]);
    if (element.dataset.result && !answer[element.dataset.result]) {
      tell(`Refused: ${answer.reason}; ${answer.remainingAttempts} attempts left`, true);
    }
    await refresh();
    if (element.dataset.phoneAfter) await showPhone(await fetch("/console/phone"));
  } catch (error) {
    tell(error.message, true);
  }
}

const phone = document.getElementById("phone");

async function showPhone(response) {
  if (!response.ok) throw new Error("The phone does not answer");
  phone.innerHTML = await response.text();
}

function readPhone() {
  const title = phone.querySelector("h3");
  title.tabIndex = -1;
  title.focus();
}

// A screen that only waits looks again by itself; where somebody types or reads, it stays.
async function lookAtPhone() {
  if (!phone) return;
  const held = phone.contains(document.activeElement);
  if (phone.querySelector("[data-waits]")) {
    await showPhone(await fetch("/console/phone"));
    if (held) readPhone();
    return;
  }
  if (held) return;
  const quiet = !phone.firstElementChild.querySelector("form") || phone.querySelector("textarea, .tile");
  if (quiet && !phone.querySelector("textarea")?.value) await showPhone(await fetch("/console/phone"));
}

async function touch(form) {
  if (phone.hasAttribute("aria-busy")) return;
  try {
    const body = Object.fromEntries(new FormData(form));
    const headers = { "Content-Type": "application/json" };
    phone.setAttribute("aria-busy", "true");
    await showPhone(await fetch(`/console/phone/${form.dataset.phone}`, { method: "POST", headers, body: JSON.stringify(body) }));
    readPhone();
    await refresh();
  } catch (error) {
    tell(error.message, true);
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
    tell(error.message, true);
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
      tell("Copied");
    } catch {
      tell("The browser does not let this page copy", true);
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

lookAtPhone().catch(() => tell("The phone does not answer", true));
setInterval(() => document.hidden || Promise.all([refresh(), lookAtPhone()]).catch(() => tell("The server does not answer", true)), 2000);
