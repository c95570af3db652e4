"""Every address of the product, and the floor's one."""

from __future__ import annotations

from django.urls import path

from chronicle.bench.floor import views
from chronicle.urls import handler404, handler500
from chronicle.urls import urlpatterns as product

__all__ = ["handler404", "handler500", "urlpatterns"]

urlpatterns = [path("bench/turns", views.Turns.as_view()), *product]
