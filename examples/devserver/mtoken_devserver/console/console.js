"use strict";

const notice = document.getElementById("notice");

function tell(text, bad) {
  notice.textContent = text;
  notice.className = bad ? "bad" : "";
}

async function callApi(call, body) {
  const [method, path] = call.split(" ");
  const response = await fetch(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.responseObject ? answer.responseObject.message : JSON.stringify(answer.detail));
  }
  return answer;
}

// "parameters.amount" becomes {parameters: {amount}}; empty fields are left out.
function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    const value = field.type === "checkbox" ? field.checked : field.type === "number" ? Number(field.value) : field.value;
    if (value === "" || value === false || value === 0) continue;
    const path = field.name.split(".");
    const last = path.pop();
    path.reduce((part, name) => (part[name] ??= {}), body)[last] = value;
  }
  return body;
}

async function refresh() {
  for (const element of document.querySelectorAll("[data-live]")) {
    const response = await fetch(element.dataset.live);
    if (response.ok) {
      const html = await response.text();
      if (html !== element.shown) element.innerHTML = element.shown = html;
    }
  }
}

async function run(element, body) {
  try {
    const answer = await callApi(element.dataset.api, body);
    tell("Done");
    if (element.dataset.then) {
      location.href = element.dataset.then.replace(/{(\w+)}/, (_, name) => answer[name]);
    }
    if (element.dataset.show) {
      const text = answer[element.dataset.show];
      const image = document.getElementById("offline-qr");
      image.src = "/console/qr.svg?text=" + encodeURIComponent(text);
      image.closest("figure").hidden = false;
      document.getElementById("offline-text").textContent = text;
    }
    if (element.dataset.result && !answer[element.dataset.result]) {
      tell(`Refused: ${answer.reason}; ${answer.remainingAttempts} attempts left`, true);
    }
    await refresh();
  } catch (error) {
    tell(error.message, true);
  }
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  run(event.target, bodyOf(event.target));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-api]");
  if (!button) return;
  const body = {};
  if (button.dataset.ask) {
    body[button.dataset.ask] = prompt(button.dataset.ask);
  }
  run(button, body);
});

setInterval(() => document.hidden || refresh().catch(() => tell("The server does not answer", true)), 2000);
